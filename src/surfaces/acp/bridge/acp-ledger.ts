import { createHubRequests } from '../../../platform/bridge/hub-requests.ts';
import { type Ledger, nothing, type Step, tell } from '../../../platform/bridge/ledger.ts';
import {
  type Fields,
  type Id,
  type RpcError,
  failure,
  isId,
  notification,
  readLine,
  request,
  toLine,
} from '../../../platform/bridge/message.ts';

const PREFIX = 'zoo-replay-';
/** After this many attempts, a request is assumed to crash the hub. */
const MAX_SENDS = 3;
const INTERNAL_ERROR = -32_603;
/** Requests that are safe to repeat. */
const REPEATABLE = new Set([
  'initialize',
  'authenticate',
  'session/list',
  'session/resume',
  'session/close',
  'session/set_mode',
  'session/set_config_option',
]);

interface Pending {
  line: Buffer;
  method: string;
  params: Fields;
  sends: number;
}

/**
 * The state with which an editor's connection continues on another hub: the handshake, and its open sessions, which
 * the new hub is asked to resume. One function, since every event reads and writes the same state.
 */
export function createAcpLedger(): Ledger {
  const pending = new Map<Id, Pending>();
  /** Open sessions, with the parameters to resume them. */
  const sessions = new Map<string, Fields>();
  const asked = createHubRequests();
  let initialize: Fields | null = null;
  let isInitialized = false;
  let replays = 0;
  let greeting: Id | null = null;
  let ready = true;
  let stopping = false;

  const nextId = (): Id => `${PREFIX}${(replays += 1)}`;
  const resend = (): Buffer[] => {
    for (const each of pending.values()) each.sends += 1;
    return [...pending.values()].map(({ line }) => line);
  };
  const resumeSessions = (): Buffer[] =>
    [...sessions].map(([sessionId, params]) => request(nextId(), 'session/resume', { ...params, sessionId }));

  function learn({ method, params }: Pending, result: Fields | null): void {
    if (!result) return;
    const id = method === 'session/new' ? result['sessionId'] : params['sessionId'];
    if (method === 'initialize') isInitialized = true;
    if (typeof id !== 'string') return;
    if (method === 'session/close' || method === 'session/delete') sessions.delete(id);
    else if (method === 'session/new' || method === 'session/load' || method === 'session/resume') {
      const { cwd, mcpServers, additionalDirectories } = params;
      sessions.set(id, { cwd, mcpServers, additionalDirectories });
    }
  }

  function fromHub(line: Buffer): Step {
    const message = readLine(line);
    if (!message) return nothing();
    if (message.kind === 'response') {
      const { id, result } = message;
      if (typeof id === 'string' && id.startsWith(PREFIX)) {
        if (id !== greeting) return nothing();
        ready = true;
        return { toHub: [...resumeSessions(), ...resend()], toClient: [] };
      }
      const known = pending.get(id);
      pending.delete(id);
      if (known) learn(known, result ?? ('result' in message.fields ? {} : null));
      return tell(line);
    }
    if (message.kind === 'request') return tell(asked.toClient(message, line));
    if (message.method === 'zoo/stopping') {
      stopping = true;
      return nothing();
    }
    const { requestId } = message.params;
    if (message.method === '$/cancel_request' && isId(requestId)) {
      const id = asked.nameOf(requestId);
      return tell(toLine({ ...message.fields, params: { ...message.params, requestId: id } }));
    }
    return tell(line);
  }

  return {
    fromClient(message, line) {
      if (message.kind === 'response') return asked.toHub(message, line);
      if (message.kind === 'notification') return line;
      const { id, method, params, fields } = message;
      if (method === 'initialize') initialize = fields;
      pending.set(id, { line, method, params, sends: 1 });
      return line;
    },
    fromHub,
    lost() {
      const toClient: Buffer[] = [];
      for (const [id, { method, sends }] of pending) {
        if (REPEATABLE.has(method) && sends < MAX_SENDS) continue;
        pending.delete(id);
        toClient.push(failure(id, hubRestarted(method)));
      }
      for (const requestId of asked.lost()) toClient.push(notification('$/cancel_request', { requestId }));
      ready = false;
      return { toHub: [], toClient };
    },
    reopened() {
      asked.reopened();
      stopping = false;
      if (initialize && isInitialized) {
        greeting = nextId();
        return { toHub: [toLine({ ...initialize, id: greeting })], toClient: [] };
      }
      ready = true;
      return { toHub: resend(), toClient: [] };
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
      return sessions.size > 0;
    },
    cancelled({ method, params }) {
      const { requestId } = params;
      return method === '$/cancel_request' && isId(requestId) ? requestId : null;
    },
    cancel: (id) => pending.delete(id),
    unavailable,
    failed(reason) {
      const answers = [...pending.keys()].map((id) => failure(id, unavailable(reason)));
      pending.clear();
      return answers;
    },
  };
}

const unavailable = (reason: string): RpcError => ({
  code: INTERNAL_ERROR,
  message: `${reason} The request was not sent; it is safe to retry.`,
  data: { reason: 'hub-unavailable', happened: 'no' },
});

const hubRestarted = (method: string): RpcError => ({
  code: INTERNAL_ERROR,
  message:
    method === 'session/prompt'
      ? 'The Agent Zoo hub stopped during this turn. The conversation is kept: load the session again to see what was done, and continue there.'
      : `The Agent Zoo hub restarted during ${method}. Try again.`,
  data: { reason: 'hub-restarted', happened: method === 'session/prompt' ? 'maybe' : 'no' },
});
