import {
  type Fields,
  type Id,
  type Message,
  failure,
  fieldsOf,
  isId,
  notification,
  readMessage,
  toLine,
} from './message.ts';
import { IDEMPOTENCY_KEY } from '../../../contract/offers/once-meta.ts';
import { type Listens, createListens } from './listens.ts';
import { type Handshake, LEARNED, createHandshake } from './handshake.ts';
import { plainResultId } from './plain-result.ts';
import { createRepeatable } from './repeatable.ts';

/** How often a request is made before it is held to be what ends the hub. */
const MAX_SENDS = 3;
const HUB_GONE = -32_000;
const INTERESTING = new Set(['tools/list', ...LEARNED]);

/** What is to be sent because of something that happened. */
export interface Step {
  toHub: Buffer[];
  toClient: Buffer[];
}

interface Pending {
  line: Buffer;
  method: string;
  name: unknown;
  params: Fields;
  sends: number;
  /** Carries a key, under which a write is done once however often it is made. */
  keyed: boolean;
}

/**
 * Everything that a bridge has to remember of a session in order to go on with it at another hub: pure, without
 * clocks or connections. Lines pass as they came wherever that is possible.
 */
export interface Ledger {
  /** A message of the client on its way to a hub that is ready. */
  fromClient(message: Message, line: Buffer): Buffer | null;
  fromHub(line: Buffer): Step;
  /** The connection is gone. Answers what must not be repeated, and takes back what the hub had asked. */
  lost(): Step;
  /** There is a new connection. Messages of the client wait until `ready`. */
  reopened(): Step;
  readonly ready: boolean;
  /** The hub has said that it ends on purpose. */
  readonly stopping: boolean;
  /** How many requests wait for an answer. */
  readonly pending: number;
  /** Whether the client has a session that it would miss changes of. */
  readonly established: boolean;
  /** Forgets a request of a hub that is gone; false when there is none. */
  cancel(id: Id): boolean;
  /** No hub is to be had: answers everything that waits for one. */
  failed(reason: string): Buffer[];
}

/** `newKey` gives a name that no write has had. */
export function createLedger(newKey: () => string): Ledger {
  const pending = new Map<Id, Pending>();
  const listens: Listens = createListens();
  const handshake: Handshake = createHandshake();
  const repeatable = createRepeatable();
  /** What hubs have asked of the client: its name at the client, and at the hub. */
  const asked = new Map<Id, Id>();
  let generation = 0;
  let ready = true;
  let stopping = false;

  const resend = (): Buffer[] => {
    for (const each of pending.values()) each.sends += 1;
    return [...pending.values()].map(({ line }) => line);
  };

  /** Ids of a second hub begin again, and the client may still be busy with the same one of the first. */
  const clientName = (id: Id): Id => (generation === 0 ? id : `zoo-${generation}-${id}`);

  function fromHub(line: Buffer): Step {
    const plain = plainResultId(line);
    if (plain !== null && !isOfInterest(pending.get(plain)?.method)) {
      pending.delete(plain);
      return tell(line);
    }
    const message = readLine(line);
    if (!message) return nothing();
    if (message.kind === 'response') return answered(message, line);
    if (message.kind === 'request') {
      const id = clientName(message.id);
      asked.set(id, message.id);
      return tell(id === message.id ? line : toLine({ ...message.fields, id }));
    }
    const { method, params } = message;
    if (method === 'zoo/stopping') {
      stopping = true;
      return nothing();
    }
    if (method === 'notifications/cancelled' && isId(params['requestId'])) {
      const requestId = clientName(params['requestId']);
      asked.delete(requestId);
      if (generation > 0) return tell(toLine({ ...message.fields, params: { ...params, requestId } }));
    }
    return listens.acknowledged(method, params) ? nothing() : tell(line);
  }

  function answered(message: Extract<Message, { kind: 'response' }>, line: Buffer): Step {
    const { id, result } = message;
    if (handshake.isReplay(id)) {
      if (!handshake.isGreeting(id)) return nothing();
      ready = true;
      return {
        toHub: [...handshake.rest(), ...resend()],
        toClient: handshake.changes(),
      };
    }
    if (listens.has(id)) return listens.ended(id, result !== null) ? tell(line) : nothing();
    const request = pending.get(id);
    pending.delete(id);
    if (request && result) {
      if (request.method === 'tools/list') repeatable.learn(result['tools']);
      else handshake.learn(request.method, request.params, result);
    }
    return tell(line);
  }

  return {
    fromClient(message, line) {
      if (message.kind === 'response') {
        const id = asked.get(message.id);
        // The hub that asked is gone, or has withdrawn the question.
        if (id === undefined) return null;
        asked.delete(message.id);
        return id === message.id ? line : toLine({ ...message.fields, id });
      }
      const { method, params } = message;
      if (message.kind === 'notification') {
        if (method === 'notifications/initialized') handshake.initialized(line);
        if (method === 'notifications/cancelled' && isId(params['requestId'])) {
          pending.delete(params['requestId']);
          listens.delete(params['requestId']);
        }
        return line;
      }
      if (method === 'initialize') handshake.begin(message.fields);
      if (method === 'subscriptions/listen') {
        listens.add(message.id, line);
        return line;
      }
      const { name } = params;
      const keyed = repeatable.isKeyed(method, name);
      const sent = keyed ? withKey(message.fields, params, newKey()) : line;
      pending.set(message.id, { line: sent, method, name, params, sends: 1, keyed });
      return sent;
    },

    fromHub,

    lost() {
      const toClient: Buffer[] = [];
      for (const [id, { method, name, sends, keyed }] of pending) {
        const safe = repeatable.has(method, name);
        if ((safe || keyed) && sends < MAX_SENDS) continue;
        pending.delete(id);
        toClient.push(failure(id, hubRestarted(typeof name === 'string' ? name : method, safe)));
      }
      for (const requestId of asked.keys()) {
        toClient.push(notification('notifications/cancelled', { requestId, reason: 'The hub restarted' }));
      }
      asked.clear();
      ready = false;
      return { toHub: [], toClient };
    },

    reopened() {
      generation += 1;
      stopping = false;
      const greeting = handshake.replay();
      if (greeting) return { toHub: [greeting], toClient: [] };
      ready = true;
      return { toHub: [...listens.lines(), ...resend()], toClient: listens.changes() };
    },

    get ready() {
      return ready;
    },
    get stopping() {
      return stopping;
    },
    get pending() {
      return pending.size;
    },
    get established() {
      return handshake.done || listens.size > 0;
    },
    cancel: (id) => pending.delete(id) || listens.delete(id),

    failed(reason) {
      const answers = [...pending.keys()].map((id) => failure(id, hubMissing(reason)));
      pending.clear();
      return answers;
    },
  };
}

export const hubMissing = (reason: string) => ({
  code: HUB_GONE,
  message: `${reason} Nothing was done; it is safe to try again.`,
  data: { reason: 'hub-unavailable', happened: 'no' },
});

function hubRestarted(what: string, safe: boolean) {
  const advice = safe
    ? 'It changes nothing, so it is safe to try again.'
    : 'It may have happened: look before you do it again.';
  return {
    code: HUB_GONE,
    message: `The Agent Zoo hub restarted while ${what} was under way. ${advice}`,
    data: { reason: 'hub-restarted', happened: safe ? 'no' : 'maybe' },
  };
}

/** A key that the client chose itself stays. */
function withKey(fields: Fields, params: Fields, key: string): Buffer {
  const _meta = { [IDEMPOTENCY_KEY]: key, ...fieldsOf(params['_meta']) };
  return toLine({ ...fields, params: { ...params, _meta } });
}

function readLine(line: Buffer): Message | null {
  try {
    return readMessage(JSON.parse(line.toString()));
  } catch {
    return null;
  }
}

/** Results that there is something to be learned from; those of nobody's request may be our own. */
const isOfInterest = (method: string | undefined): boolean => method === undefined || INTERESTING.has(method);

const nothing = (): Step => ({ toHub: [], toClient: [] });
const tell = (line: Buffer): Step => ({ toHub: [], toClient: [line] });
