import { type Id, type Message, toLine } from './message.ts';

type Request = Extract<Message, { kind: 'request' }>;
type Response = Extract<Message, { kind: 'response' }>;

/**
 * Requests of hubs to the client. A second hub starts its ids again, while the client may still work on the same id of
 * the first, so they get other ids at the client.
 */
export interface HubRequests {
  /** The id that the client knows a request of the current hub by. */
  nameOf(id: Id): Id;
  /** The request as the client gets it. */
  toClient(request: Request, line: Buffer): Buffer;
  /** The answer as the hub gets it; null if that hub is gone, or has cancelled its request. */
  toHub(response: Response, line: Buffer): Buffer | null;
  /** The request was cancelled. */
  forget(name: Id): void;
  /** The hub is gone: returns its open requests, by their names at the client. */
  lost(): Id[];
  /** Another hub has connected. */
  reopened(): void;
}

export function createHubRequests(): HubRequests {
  const asked = new Map<Id, Id>();
  let generation = 0;
  const nameOf = (id: Id): Id => (generation === 0 ? id : `zoo-${generation}-${id}`);
  return {
    nameOf,
    toClient({ id, fields }, line) {
      const name = nameOf(id);
      asked.set(name, id);
      return name === id ? line : toLine({ ...fields, id: name });
    },
    toHub({ id: name, fields }, line) {
      const id = asked.get(name);
      if (id === undefined) return null;
      asked.delete(name);
      return id === name ? line : toLine({ ...fields, id });
    },
    forget: (name) => void asked.delete(name),
    lost() {
      const names = [...asked.keys()];
      asked.clear();
      return names;
    },
    reopened: () => void (generation += 1),
  };
}
