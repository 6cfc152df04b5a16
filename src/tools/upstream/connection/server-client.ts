import {
  Client,
  type ClientCapabilities,
  type CreateMessageResult,
  type ElicitResult,
} from '@modelcontextprotocol/client';
import * as z from 'zod';
import { ZooError } from '../../../contract/errors.ts';
import { VERSION } from '../../../platform/home/version.ts';
import { type Attribution, createAttribution } from './attribution.ts';
import type { Listener } from './link.ts';

const PROBE_MS = 10_000;
/** Servers need not report that a sign-in page is done, so old ones are forgotten. */
const MOST_PAGES = 1000;

export const CLIENT_INFO = { name: 'agent-zoo', title: 'Agent Zoo', version: VERSION };
export const CAPABILITIES: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: {},
};
// Answers of a client pass through unchanged: the SDK checks them before it sends them on.
const Elicited = z.custom<ElicitResult>((value) => typeof value === 'object' && value !== null);
const Sampled = z.custom<CreateMessageResult>((value) => typeof value === 'object' && value !== null);
const Roots = z.looseObject({ roots: z.array(z.looseObject({ uri: z.string() })) });
const LEVELS: Record<string, 'debug' | 'info' | 'warn' | 'error'> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
};

export interface ServerClientOptions {
  /** Whether the server is known to ask questions during calls. */
  asks: boolean;
  onAsks(): void;
  /** Whether one client alone uses the server, which may then see that client's roots. */
  alone: boolean;
  timeoutMs: number;
  onListsChanged(): void;
}

/** The SDK's client, with handlers for everything that a server sends on its own. */
export interface ServerClient {
  client: Client;
  attribution: Attribution;
  /** Runs a request whose progress goes to the listener. */
  withProgress<T>(listener: Listener, work: (token: string) => Promise<T>): Promise<T>;
}

export function createServerClient(options: ServerClientOptions): ServerClient {
  const changed = { autoRefresh: false, debounceMs: 50, onChanged: () => options.onListsChanged() };
  const client = new Client(CLIENT_INFO, {
    capabilities: CAPABILITIES,
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: Math.min(PROBE_MS, options.timeoutMs) } },
    inputRequired: { autoFulfill: false },
    listChanged: { tools: changed, prompts: changed, resources: changed },
  });
  const attribution = createAttribution(options);
  answerQuestions(client, attribution, options.alone);
  client.setNotificationHandler('notifications/message', ({ params: { level, data } }) => {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    attribution.tell((listener) => listener.log(LEVELS[level] ?? 'error', text));
  });
  return { client, attribution, withProgress: followProgress(client) };
}

function answerQuestions(client: Client, attribution: Attribution, alone: boolean): void {
  const completionOf = followPages(client);
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const completed = completionOf(params);
    const answer = await attribution.ask({
      method: 'elicitation/create',
      params: { ...params },
      ...(completed && { completed }),
    });
    return Elicited.parse(answer ?? { action: 'cancel' });
  });
  client.setRequestHandler('sampling/createMessage', async ({ params }) => {
    const answer = await attribution.ask({ method: 'sampling/createMessage', params: { ...params } });
    if (!answer) throw new ZooError('tool_error', 'No client is available for sampling at the moment.');
    return Sampled.parse(answer);
  });
  client.setRequestHandler('roots/list', async () => {
    // A shared server would remember the folders of one client for all others.
    const answer = alone ? await attribution.ask({ method: 'roots/list', params: {} }) : null;
    return { roots: Roots.safeParse(answer).data?.roots ?? [] };
  });
}

/**
 * Pages that a server has sent people to: resolves when the server reports that they are done there; undefined for a
 * question without a page. Only legacy servers report it: the newest revision has no such notification.
 */
function followPages(
  client: Client,
): (params: Readonly<Record<string, unknown>>) => Promise<void> | undefined {
  const open = new Map<string, () => void>();
  client.setNotificationHandler('notifications/elicitation/complete', ({ params: { elicitationId } }) => {
    open.get(elicitationId)?.();
    open.delete(elicitationId);
  });
  return ({ elicitationId }) => {
    if (typeof elicitationId !== 'string') return undefined;
    const [oldest] = open.keys();
    if (open.size >= MOST_PAGES && oldest !== undefined) open.delete(oldest);
    return new Promise((resolve) => open.set(elicitationId, resolve));
  };
}

/** Uses our own tokens: the SDK drops its token with the answer, and progress that arrives with it would be lost. */
function followProgress(client: Client): ServerClient['withProgress'] {
  const listeners = new Map<string, Listener>();
  let last = 0;
  client.setNotificationHandler('notifications/progress', ({ params }) => {
    const { progressToken, progress, total, message } = params;
    listeners.get(String(progressToken))?.progress(progress, total, message);
  });
  return async (listener, work) => {
    last += 1;
    const token = `zoo-${last}`;
    listeners.set(token, listener);
    try {
      return await work(token);
    } finally {
      listeners.delete(token);
    }
  };
}
