import {
  type Fields,
  type Id,
  type Message,
  failure,
  fieldsOf,
  isId,
  notification,
  readLine,
  toLine,
} from '../../../platform/bridge/message.ts';
import { type Ledger, nothing, type Step, tell } from '../../../platform/bridge/ledger.ts';
import { createHubRequests } from '../../../platform/bridge/hub-requests.ts';
import { IDEMPOTENCY_KEY } from '../../../contract/offers/once-meta.ts';
import { type Listens, createListens } from './listens.ts';
import { type Handshake, LEARNED, createHandshake } from './handshake.ts';
import { plainResultId } from './plain-result.ts';
import { createRepeatable } from './repeatable.ts';

/** After this many attempts, a request is assumed to crash the hub. */
const MAX_SENDS = 3;
const HUB_GONE = -32_000;
const INTERESTING = new Set(['tools/list', ...LEARNED]);

interface Pending {
  line: Buffer;
  method: string;
  name: unknown;
  params: Fields;
  sends: number;
  /** Carries an idempotency key, under which a write happens once however often it is sent. */
  keyed: boolean;
}

/**
 * The state that an MCP session needs to continue with another hub. One function, since every event reads and writes the same
 * state. `newKey` returns a key that no write has used.
 */
export function createLedger(newKey: () => string = createKeys()): Ledger {
  const pending = new Map<Id, Pending>();
  const listens: Listens = createListens();
  const handshake: Handshake = createHandshake();
  const repeatable = createRepeatable();
  const asked = createHubRequests();
  let ready = true;
  let stopping = false;

  const resend = (): Buffer[] => {
    for (const each of pending.values()) each.sends += 1;
    return [...pending.values()].map(({ line }) => line);
  };

  function fromHub(line: Buffer): Step {
    const plain = plainResultId(line);
    if (plain !== null && !isOfInterest(pending.get(plain)?.method)) {
      pending.delete(plain);
      return tell(line);
    }
    const message = readLine(line);
    if (!message) return nothing();
    if (message.kind === 'response') return answered(message, line);
    if (message.kind === 'request') return tell(asked.toClient(message, line));
    const { method, params } = message;
    if (method === 'zoo/stopping') {
      stopping = true;
      return nothing();
    }
    if (method === 'notifications/cancelled' && isId(params['requestId'])) {
      const requestId = asked.nameOf(params['requestId']);
      asked.forget(requestId);
      if (requestId !== params['requestId'])
        return tell(toLine({ ...message.fields, params: { ...params, requestId } }));
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
      if (message.kind === 'response') return asked.toHub(message, line);
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
      for (const requestId of asked.lost()) {
        toClient.push(notification('notifications/cancelled', { requestId, reason: 'The hub restarted' }));
      }
      ready = false;
      return { toHub: [], toClient };
    },

    reopened() {
      asked.reopened();
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

    unavailable: hubMissing,
    cancelled({ method, params }) {
      const { requestId } = params;
      return method === 'notifications/cancelled' && isId(requestId) ? requestId : null;
    },

    failed(reason) {
      const answers = [...pending.keys()].map((id) => failure(id, hubMissing(reason)));
      pending.clear();
      return answers;
    },
  };
}

const hubMissing = (reason: string) => ({
  code: HUB_GONE,
  message: `${reason} The request was not sent; it is safe to retry.`,
  data: { reason: 'hub-unavailable', happened: 'no' },
});

function hubRestarted(what: string, safe: boolean) {
  const advice = safe
    ? 'It is read-only, so it is safe to retry.'
    : 'It may have been carried out: check before you retry.';
  return {
    code: HUB_GONE,
    message: `The Agent Zoo hub restarted during ${what}. ${advice}`,
    data: { reason: 'hub-restarted', happened: safe ? 'no' : 'maybe' },
  };
}

/** A key of the client's own is kept. */
function withKey(fields: Fields, params: Fields, key: string): Buffer {
  const _meta = { [IDEMPOTENCY_KEY]: key, ...fieldsOf(params['_meta']) };
  return toLine({ ...fields, params: { ...params, _meta } });
}

/** Whether a result must be parsed; results without a request may belong to the bridge itself. */
const isOfInterest = (method: string | undefined): boolean => method === undefined || INTERESTING.has(method);

/** Idempotency keys, unique to this process. */
function createKeys(): () => string {
  const own = [process.pid, Date.now(), Math.floor(Math.random() * 2 ** 48)].map((part) => part.toString(36));
  let count = 0;
  return () => `${own.join('-')}-${(count += 1)}`;
}
