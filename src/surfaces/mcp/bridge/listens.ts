import { type Fields, type Id, fieldsOf, isId, notification } from '../../../platform/bridge/message.ts';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

const kinds = {
  toolsListChanged: 'notifications/tools/list_changed',
  promptsListChanged: 'notifications/prompts/list_changed',
  resourcesListChanged: 'notifications/resources/list_changed',
} as const;

interface Listen {
  line: Buffer;
  /** The subscriptions that the hub has confirmed; null until then. */
  filter: Fields | null;
}

/** The open subscriptions of a client of 2026-07-28. */
export interface Listens {
  readonly size: number;
  has(id: Id): boolean;
  add(id: Id, line: Buffer): void;
  delete(id: Id): boolean;
  /** True for an acknowledgement that the client already has from another hub, or no longer waits for. */
  acknowledged(method: string, params: Fields): boolean;
  /**
   * The hub has answered, which ends a stream. Returns false if the client must not see it: a stopping hub
   * ends each stream, and the next hub continues it.
   */
  ended(id: Id, complete: boolean): boolean;
  lines(): Buffer[];
  /** Reports on each stream that everything it covers may have changed. */
  changes(): Buffer[];
}

export function createListens(): Listens {
  const open = new Map<Id, Listen>();
  return {
    get size() {
      return open.size;
    },
    has: (id) => open.has(id),
    add: (id, line) => void open.set(id, { line, filter: null }),
    delete: (id) => open.delete(id),
    acknowledged(method, params) {
      if (method !== 'notifications/subscriptions/acknowledged') return false;
      const id = fieldsOf(params['_meta'])[SUBSCRIPTION];
      const listen = isId(id) ? open.get(id) : undefined;
      if (!listen) return true;
      const known = listen.filter !== null;
      listen.filter = fieldsOf(params['notifications']);
      return known;
    },
    ended(id, complete) {
      if (complete) return false;
      open.delete(id);
      return true;
    },
    lines: () => [...open.values()].map(({ line }) => line),
    changes: () => [...open].flatMap(([id, { filter }]) => (filter ? changesFor(id, filter) : [])),
  };
}

function changesFor(id: Id, filter: Fields): Buffer[] {
  const _meta = { [SUBSCRIPTION]: id };
  const uris: unknown = filter['resourceSubscriptions'];
  return [
    ...Object.entries(kinds).flatMap(([kind, method]) =>
      filter[kind] === true ? [notification(method, { _meta })] : [],
    ),
    ...(Array.isArray(uris) ? uris : []).map((uri: unknown) =>
      notification('notifications/resources/updated', { uri, _meta }),
    ),
  ];
}
