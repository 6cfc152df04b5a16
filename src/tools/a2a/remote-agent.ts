import { type AgentCard, type StreamResponse, TaskState } from '@a2a-js/sdk';
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { type MessagePlace, textMessage } from './text-message.ts';

/** Progress of a remote task. Text arrives in pieces; `replaces` discards the earlier ones. */
export type RemoteEvent =
  | { type: 'task'; taskId: string; contextId: string }
  | { type: 'text'; text: string; replaces: boolean }
  | { type: 'state'; state: string; message: string };

export interface RemoteMessage extends MessagePlace {
  signal?: AbortSignal;
}

/** Whether the task needs another message to continue. */
export const needsMore = (state: string): boolean => state === 'input-required' || state === 'auth-required';

export interface RemoteAgent {
  card: AgentCard;
  /** Streams if the agent can, and otherwise yields the whole answer at its end. Ends also where the task waits. */
  send(text: string, options: RemoteMessage): AsyncGenerator<RemoteEvent>;
  cancel(taskId: string): Promise<void>;
}

const CARD_PATH = '.well-known/agent-card.json';

/** `https://host/a2a/agent`, or the address of the card itself. */
const cardAddress = (url: string): string =>
  url.endsWith('.json') ? url : new URL(CARD_PATH, url.endsWith('/') ? url : `${url}/`).href;

/**
 * Reads the card of an agent and connects to it. Headers go to its origin only: a card cannot send them elsewhere.
 * With `sameOrigin`, nothing else is called either, whatever addresses the card names.
 */
export async function openRemoteAgent(
  url: string,
  headers: Record<string, string>,
  { sameOrigin = false }: { sameOrigin?: boolean } = {},
): Promise<RemoteAgent> {
  const address = cardAddress(url);
  const { origin } = new URL(address);
  const fetchImpl: typeof fetch = (input, init = {}) => {
    const target = new URL(input instanceof Request ? input.url : input);
    if (sameOrigin && target.origin !== origin)
      throw new Error(`its card names ${target.origin}, which is not the address in the config`);
    const sent = new Headers(init.headers);
    if (target.origin === origin) for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    return fetch(input, { ...init, headers: sent, redirect: 'error' });
  };
  const legacyCompat = { enabled: true };
  const resolver = new DefaultAgentCardResolver({ fetchImpl, legacyCompat });
  const card = await resolver.resolve(address, '');
  const factory = new ClientFactory({
    transports: [
      new JsonRpcTransportFactory({ fetchImpl, legacyCompat }),
      new RestTransportFactory({ fetchImpl, legacyCompat }),
    ],
    cardResolver: resolver,
  });
  const client = await factory.createFromAgentCard(card);

  return {
    card,
    async *send(text, { signal, ...said }) {
      const request = textMessage(text, said);
      for await (const response of client.sendMessageStream(request, signal ? { signal } : {}))
        for (const event of eventsOf(response)) {
          yield event;
          if (event.type === 'state' && needsMore(event.state)) return;
        }
    },
    async cancel(id) {
      await client.cancelTask({ id, tenant: '', metadata: undefined });
    },
  };
}

function* eventsOf({ payload }: StreamResponse): Generator<RemoteEvent> {
  switch (payload?.$case) {
    case 'task': {
      const { id, contextId, status, artifacts } = payload.value;
      yield { type: 'task', taskId: id, contextId };
      for (const { parts } of artifacts) yield { type: 'text', text: textOf(parts), replaces: false };
      yield stateEvent(status);
      break;
    }
    case 'message':
      yield { type: 'task', taskId: '', contextId: payload.value.contextId };
      yield { type: 'text', text: textOf(payload.value.parts), replaces: false };
      yield { type: 'state', state: 'completed', message: '' };
      break;
    case 'artifactUpdate': {
      const { artifact, append } = payload.value;
      yield { type: 'text', text: textOf(artifact?.parts ?? []), replaces: !append };
      break;
    }
    case 'statusUpdate':
      yield stateEvent(payload.value.status);
      break;
    case undefined:
  }
}

type Status = Extract<NonNullable<StreamResponse['payload']>, { $case: 'task' }>['value']['status'];
type Parts = NonNullable<NonNullable<Status>['message']>['parts'];

function stateEvent(status: Status): RemoteEvent {
  const name = TaskState[status?.state ?? 0] ?? 'TASK_STATE_UNSPECIFIED';
  const state = name.replace('TASK_STATE_', '').toLowerCase().replaceAll('_', '-');
  return { type: 'state', state, message: textOf(status?.message?.parts ?? []) };
}

/** Files and links are named, not fetched. */
const textOf = (parts: Parts): string =>
  parts
    .map(({ content, filename, mediaType }) => {
      if (content?.$case === 'text') return content.value;
      if (content?.$case === 'data') return JSON.stringify(content.value);
      if (content?.$case === 'url') return content.value;
      return content ? `[${filename || mediaType || 'file'}]` : '';
    })
    .join('');
