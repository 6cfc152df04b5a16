import type { Budget, CallContext, Caller, Surface } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { Access } from '../../contract/table/operation.ts';
import type { Hub, Identity } from '../../hub/hub.ts';
import { isPageToken } from '../../platform/home/access.ts';
import { refuseForeignPage } from './guard.ts';
import { type Asked, pathOf } from './asked.ts';
import type { Query } from './query.ts';

export interface Known {
  identity: Identity;
  surface: Surface;
}

/** Who sent a request. */
export type Identify = (asked: Asked) => Promise<Known>;

const OPERATOR: Identity = { caller: { kind: 'operator' }, workspace: null };
export const ANONYMOUS: Known = {
  identity: { caller: { kind: 'anonymous' }, workspace: null },
  surface: 'http',
};

const HOW = 'Run `zoo token` and send it as `Authorization: Bearer TOKEN`, or open the page with `zoo open`.';

export function createIdentify(hub: Hub, auth: boolean): Identify {
  if (!auth) {
    return async ({ method, headers }) => {
      refuseForeignPage(method, headers);
      return { identity: OPERATOR, surface: surfaceOf(OPERATOR, '', headers) };
    };
  }
  return async ({ headers }) => {
    const authorization = headers.get('authorization');
    if (authorization === null) throw new ZooError('unauthorized', `A token is needed. ${HOW}`);
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    const identity = token === undefined ? null : await hub.authenticate({ token });
    if (token === undefined || !identity) {
      throw new ZooError('unauthorized', `The token is invalid or has expired. ${HOW}`);
    }
    return { identity, surface: surfaceOf(identity, token, headers) };
  };
}

/** The surface that histories show. The command line names itself in a header; only the operator may do so. */
function surfaceOf({ caller }: Identity, token: string, headers: Asked['headers']): Surface {
  if (isPageToken(token)) return 'web';
  return caller.kind === 'operator' && headers.get('zoo-surface') === 'cli' ? 'cli' : 'http';
}

/** Refuses operations that a caller may never use. The operation itself decides what an agent may reach with it. */
export function admit(access: Access, { caller }: Identity): void {
  if (access === 'operator' && caller.kind !== 'operator') {
    throw new ZooError('out_of_scope', "The token is bound to an agent; this needs the operator's");
  }
}

export async function contextFor(
  hub: Hub,
  known: Known,
  query: Pick<Query, 'workspace' | 'agent'>,
  request: Asked,
): Promise<CallContext> {
  const { identity, surface } = known;
  // Reading an address must not have an effect: the page opens a folder with POST /api/workspaces.
  const isNavigation = surface === 'web' && (request.method === 'GET' || request.method === 'HEAD');
  const workspace = await workspaceOf(hub, identity, query.workspace, isNavigation);
  return new RequestContext(request, identity.caller, workspace, agentOf(identity, query.agent), surface);
}

/** A team member acts as its own agent, whatever the address says. */
export function memberContext({ identity, surface }: Known, request: Asked): CallContext {
  const { caller, workspace, agent = null } = identity;
  if (workspace === null) throw new Error('a team member has no workspace');
  return new RequestContext(request, caller, workspace, agent, surface);
}

/**
 * A signal costs more than the rest of a request, and most operations never use it, so it is created on demand. An
 * own property, since contexts are copied by spreading; one shared getter, since an object with its own is slow.
 */
class RequestContext implements CallContext {
  declare readonly signal: AbortSignal;
  readonly caller: Caller;
  readonly workspace: string;
  readonly agent: string | null;
  readonly surface: Surface;
  declare readonly idempotencyKey?: string;
  readonly depth = 0;
  readonly budget: Budget = {};
  readonly #request: Asked;

  static readonly #signal: PropertyDescriptor & ThisType<RequestContext> = {
    enumerable: true,
    get() {
      return this.#request.signal;
    },
  };

  constructor(request: Asked, caller: Caller, workspace: string, agent: string | null, surface: Surface) {
    this.#request = request;
    this.caller = caller;
    this.workspace = workspace;
    this.agent = agent;
    this.surface = surface;
    const key = request.headers.get('idempotency-key');
    if (key !== null) this.idempotencyKey = writeName(request, key);
    Object.defineProperty(this, 'signal', RequestContext.#signal);
  }
}

/** A key names one write: on another path it is a different key. */
function writeName({ method, url }: Asked, key: string): string {
  if (key !== '' && key.length <= 200) return `${method} ${pathOf(url)} ${key}`;
  throw new ZooError('invalid_arguments', 'Idempotency-Key: must be 1 to 200 characters');
}

async function workspaceOf(
  hub: Hub,
  { caller, workspace }: Identity,
  named: string | undefined,
  known: boolean,
): Promise<string> {
  switch (caller.kind) {
    case 'operator':
      return hub.workspaceFor(named, { known });
    case 'anonymous':
      return hub.workspaceFor(undefined);
    case 'agent':
    case 'member':
  }
  if (workspace === null) throw new Error(`the token ${caller.tokenId} has no workspace`);
  if (named !== undefined && named !== workspace) {
    throw new ZooError('out_of_scope', 'The token is bound to an agent of another workspace');
  }
  return workspace;
}

function agentOf({ caller }: Identity, named: string | undefined): string | null {
  switch (caller.kind) {
    case 'operator':
      return named ?? null;
    case 'anonymous':
      return null;
    case 'member':
      throw new ZooError('out_of_scope', 'The token belongs to a team member, which calls /mcp/team only');
    case 'agent':
  }
  if (named !== undefined && named !== caller.agentId) {
    throw new ZooError('out_of_scope', `The token is bound to ${caller.agentId}, not to ${named}`);
  }
  return caller.agentId;
}
