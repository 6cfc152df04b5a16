import {
  type Fields,
  type Id,
  fieldsOf,
  notification,
  request,
  toLine,
} from '../../../platform/bridge/message.ts';

const PREFIX = 'zoo-replay-';
/** The methods whose results `learn` takes. */
export const LEARNED = [
  'initialize',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
] as const;

const lists = ['tools', 'prompts', 'resources'] as const;

/** Messages that a client of the 2025 revisions sends once, replayed to a new hub. */
export interface Handshake {
  /** Whether there is a session to resume. */
  readonly done: boolean;
  begin(initialize: Fields): void;
  initialized(line: Buffer): void;
  learn(method: string, params: Fields, result: Fields): void;
  /** The client's own `initialize` under an id of the bridge; null without a session. */
  replay(): Buffer | null;
  /** Whether this answers a request of the bridge itself. */
  isReplay(id: Id): boolean;
  isGreeting(id: Id): boolean;
  /** The messages that follow after `initialize` was answered. */
  rest(): Buffer[];
  /** Notifies the client that every list may have changed. */
  changes(): Buffer[];
}

export function createHandshake(): Handshake {
  let initialize: Fields | null = null;
  let capabilities: Fields | null = null;
  let initializedLine: Buffer | null = null;
  let level: Fields | null = null;
  const subscribed = new Map<string, Fields>();
  let count = 0;
  let greeting: Id | null = null;
  const nextId = (): Id => `${PREFIX}${(count += 1)}`;

  return {
    get done() {
      return capabilities !== null;
    },
    begin(fields) {
      initialize = fields;
    },
    initialized(line) {
      initializedLine = line;
    },
    learn(method, params, result) {
      if (method === 'initialize') capabilities = fieldsOf(result['capabilities']);
      else if (method === 'logging/setLevel') level = params;
      else if (method === 'resources/subscribe') subscribed.set(String(params['uri']), params);
      else if (method === 'resources/unsubscribe') subscribed.delete(String(params['uri']));
    },
    replay() {
      if (!initialize || !capabilities) return null;
      greeting = nextId();
      return toLine({ ...initialize, id: greeting });
    },
    isReplay: (id) => typeof id === 'string' && id.startsWith(PREFIX),
    isGreeting: (id) => id === greeting,
    rest: () => [
      ...(initializedLine ? [initializedLine] : []),
      ...(level ? [request(nextId(), 'logging/setLevel', level)] : []),
      ...[...subscribed.values()].map((params) => request(nextId(), 'resources/subscribe', params)),
    ],
    changes() {
      if (!initializedLine || !capabilities) return [];
      const changed = lists.filter((list) => fieldsOf(capabilities?.[list])['listChanged'] === true);
      return [
        ...changed.map((list) => notification(`notifications/${list}/list_changed`)),
        ...[...subscribed.keys()].map((uri) => notification('notifications/resources/updated', { uri })),
      ];
    },
  };
}
