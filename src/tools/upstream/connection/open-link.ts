import {
  Client,
  type ClientCapabilities,
  type ElicitResult,
  type CreateMessageResult,
  type OAuthClientProvider,
  SdkError,
  SdkErrorCode,
  type Transport,
} from '@modelcontextprotocol/client';
import * as z from 'zod';
import { ZooError } from '../../../contract/errors.ts';
import type { ClientQuestion } from '../../../contract/tool.ts';
import { VERSION } from '../../../platform/home/version.ts';
import { createAttribution } from './attribution.ts';
import { describeError, describeExit, statusIn } from '../diagnosis.ts';
import { connectHttp } from './http-link.ts';
import type { Era, Link, LinkEnd, LinkEvents } from './link.ts';
import { keepListening } from './keep-listening.ts';
import { loadLists } from './load-lists.ts';
import type { Processes } from '../../../platform/processes/processes.ts';
import { createOpenPages } from './open-pages.ts';
import { createProgressTokens } from './progress-tokens.ts';
import { createResourceUpdates } from './resource-updates.ts';
import { sendRequest } from './send-request.ts';
import { createStdioTransport, type StdioTransport } from './stdio-transport.ts';
import type { Launch } from '../upstream.ts';
import { messageOf } from '../../../platform/text/error-message.ts';

const PROBE_MS = 10_000;

export interface OpenOptions extends LinkEvents {
  processes: Pick<Processes, 'start'>;
  /** What it spoke when it was last talked to; null to find out. */
  era: Era | null;
  /** Whether it asks for things while it works, as far as is known. */
  asks: boolean;
  onAsks(): void;
  /** Whether one client alone talks to it: then it may know that client's roots. */
  alone: boolean;
  timeoutMs: number;
  signal: AbortSignal;
  auth: OAuthClientProvider | null;
}

const CAPABILITIES: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: {},
};
const Elicited = z.custom<ElicitResult>((value) => typeof value === 'object' && value !== null);
const Sampled = z.custom<CreateMessageResult>((value) => typeof value === 'object' && value !== null);
const LEVELS: Record<string, 'debug' | 'info' | 'warn' | 'error'> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
};

/** Starts or reaches a server, and shakes hands. Throws a `ZooError` whose message goes on after the server's name. */
export async function openLink(launch: Launch, options: OpenOptions): Promise<Link> {
  if (launch.kind === 'http') {
    return connectHttp(launch, { auth: options.auth, era: options.era }, (transport, era) =>
      shake(launch, options, transport, era),
    );
  }
  const attempt = (era: Era | null): Promise<Link> =>
    shake(launch, options, createStdioTransport(launch, options.processes), era);
  try {
    return await attempt(options.era);
  } catch (error) {
    // Some servers of 2025 end when they are asked for anything before their handshake: they get that at once.
    if (options.era !== null || !(error instanceof ProbeEnded)) throw failure(error);
    return attempt('legacy').catch((again: unknown) => Promise.reject(failure(again)));
  }
}

/** The process ended while it was asked which revision it speaks. */
class ProbeEnded extends Error {}

const failure = (error: unknown): ZooError =>
  error instanceof ZooError ? error : new ZooError('tool_error', messageOf(error));

const isProcess = (transport: Transport): transport is StdioTransport => 'said' in transport;

async function shake(
  launch: Launch,
  options: OpenOptions,
  transport: Transport,
  era: Era | null,
): Promise<Link> {
  const changed = { autoRefresh: false, debounceMs: 50, onChanged: () => options.onListsChanged() };
  const client = new Client(
    { name: 'agent-zoo', title: 'Agent Zoo', version: VERSION },
    {
      capabilities: CAPABILITIES,
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: Math.min(PROBE_MS, options.timeoutMs) } },
      inputRequired: { autoFulfill: false },
      listChanged: { tools: changed, prompts: changed, resources: changed },
    },
  );
  const attribution = createAttribution(options);
  const tokens = createProgressTokens(client);
  const pages = createOpenPages(client);
  const ask = async (question: ClientQuestion): Promise<Record<string, unknown> | null> =>
    attribution.ask(question);
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const question = { method: 'elicitation/create' as const, params: { ...params } };
    const completed = pages.follow(question.params);
    return Elicited.parse(
      (await ask({ ...question, ...(completed && { completed }) })) ?? { action: 'cancel' },
    );
  });
  client.setRequestHandler('sampling/createMessage', async ({ params }) => {
    const answer = await ask({ method: 'sampling/createMessage', params: { ...params } });
    if (!answer) throw new ZooError('tool_error', 'No client can be asked to sample at the moment.');
    return Sampled.parse(answer);
  });
  client.setRequestHandler('roots/list', async () => {
    // What one client has open is none of the others' business, and the server would remember it.
    const answer = options.alone ? await ask({ method: 'roots/list', params: {} }) : null;
    return { roots: Roots.safeParse(answer).data?.roots ?? [] };
  });
  client.setNotificationHandler('notifications/message', ({ params: { level, data } }) => {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    attribution.tell((listener) => listener.log(LEVELS[level] ?? 'error', text));
  });

  let onPurpose = false;
  const over = new AbortController();
  let onEnd: (end: LinkEnd) => void = () => undefined;
  const closed = new Promise<LinkEnd>((resolve) => {
    onEnd = resolve;
  });
  const ending = (): string | null => {
    if (onPurpose) return null;
    const exit = isProcess(transport) ? transport.exit() : null;
    return exit && isProcess(transport)
      ? describeExit(exit, transport.said(), launch)
      : 'the connection was closed.';
  };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a client of the SDK is no event target
  client.onclose = () => {
    over.abort();
    onEnd({ why: ending() });
  };
  try {
    await connect(client, transport, era, options);
  } catch (error) {
    onPurpose = true;
    const exit = isProcess(transport) ? transport.exit() : null;
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
    if (exit && isProcess(transport)) {
      const why = describeExit(exit, transport.said(), launch);
      throw era === null && !exit.error ? new ProbeEnded(why) : new ZooError('tool_error', why);
    }
    throw describeConnect(error, launch, transport, options.timeoutMs);
  }
  const spoken: Era = client.getProtocolEra() ?? 'legacy';
  const info = client.getServerVersion();
  const filter = spoken === 'modern' ? listsFilter(client) : {};
  if (Object.keys(filter).length > 0) {
    const onAgain = (): void => options.onListsChanged();
    const first = client.autoOpenedSubscription;
    void keepListening({ client, filter, first, onAgain, signal: over.signal });
  }
  const updates = createResourceUpdates(client, spoken, {
    onUpdated: (uri) => options.onResourceUpdated(uri),
    timeout: options.timeoutMs,
    closed: over.signal,
  });
  return {
    era: spoken,
    title: info?.title ?? info?.name ?? null,
    pid: isProcess(transport) ? transport.pid : null,
    lists: (signal) => loadLists(client, signal, options.timeoutMs),
    request(request, listener) {
      const send = (): Promise<Record<string, unknown>> => {
        listener.begun();
        return tokens.during(listener, (token) => sendRequest(client, request, listener, token));
      };
      return spoken === 'legacy' ? attribution.run(listener, send) : send();
    },
    async complete({ ref, argument, given }, signal) {
      const context = given && { context: { arguments: { ...given } } };
      const { completion } = await client.complete({ ref, argument, ...context }, { signal });
      return completion.values;
    },
    watch: (uris) => updates.watch(uris),
    closed,
    async close() {
      onPurpose = true;
      over.abort();
      // A process that is still busy would otherwise answer nobody.
      await client.close().catch(() => undefined);
      onEnd({ why: null });
    },
  };
}

const Roots = z.looseObject({ roots: z.array(z.looseObject({ uri: z.string() })) });

/** The same that the SDK has opened a stream for, which it does not open again. */
function listsFilter(client: Client) {
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  return {
    ...(tools?.listChanged && { toolsListChanged: true }),
    ...(prompts?.listChanged && { promptsListChanged: true }),
    ...(resources?.listChanged && { resourcesListChanged: true }),
  };
}

/** Within the time, or not at all: the SDK's own limit begins after the process has. */
async function connect(
  client: Client,
  transport: Transport,
  era: Era | null,
  { timeoutMs, signal }: OpenOptions,
): Promise<void> {
  const unwanted = new ZooError('tool_error', 'is no longer wanted.');
  if (signal.aborted) throw unwanted;
  let giveUp: (error: Error) => void = () => undefined;
  const over = new Promise<never>((_resolve, reject) => {
    giveUp = reject;
  });
  const timer = setTimeout(() => giveUp(new StartTimeout()), timeoutMs);
  const stop = (): void => giveUp(unwanted);
  signal.addEventListener('abort', stop, { once: true });
  const prior = era === 'legacy' ? { prior: { kind: 'legacy' as const } } : {};
  try {
    await Promise.race([client.connect(transport, { timeout: timeoutMs, ...prior }), over]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

class StartTimeout extends Error {}

function describeConnect(error: unknown, launch: Launch, transport: Transport, timeoutMs: number): Error {
  if (error instanceof ZooError) return error;
  const slow =
    error instanceof StartTimeout ||
    (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout);
  if (!slow) return new ZooError('tool_error', describeError(error, launch), { status: statusIn(error) });
  const said = isProcess(transport) ? transport.said() : '';
  const where = launch.kind === 'http' ? 'did not answer' : 'was started, but did not answer,';
  return new ZooError('timeout', `${where} within ${timeoutMs / 1000} s.${said ? ` It said:\n${said}` : ''}`);
}
