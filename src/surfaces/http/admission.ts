import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { Access } from '../../contract/table/operation.ts';
import type { Hub } from '../../hub/hub.ts';
import { ANONYMOUS, type Known, admit, contextFor, createIdentify, memberContext } from './caller.ts';
import { type Asked, pathOf, searchOf } from './asked.ts';
import { createGuard } from './guard.ts';
import { type Query, compileQuery } from './query.ts';

/** The only place that decides whether a request is accepted, whatever its route. */
export interface Admission {
  /** Checks host, origin and token. */
  know(asked: Asked, access: Access): Promise<Known>;
  context(asked: Asked, known: Known, query: Pick<Query, 'workspace' | 'agent'>): Promise<CallContext>;
  isOwnHost(host: string | undefined): boolean;
  /** Does both for a mounted protocol. Requests that name no agent are for the operator. */
  toMount(
    asked: Asked,
    access: 'public' | 'agent',
    agent: string | undefined,
    options?: { ownQuery?: true | undefined },
  ): Promise<CallContext>;
}

/** The workspace in a query whose other parameters are checked elsewhere. */
const workspaceIn = (search: string): Pick<Query, 'workspace' | 'agent'> => ({
  workspace: new URLSearchParams(search).get('workspace') ?? undefined,
  agent: undefined,
});

/** The only address that a team member may call. */
const TEAM_PATH = '/mcp/team';
const ANYWHERE = { workspace: undefined, agent: undefined };

export function createAdmission(
  hub: Hub,
  { auth, allowedHosts }: { auth: boolean; allowedHosts: readonly string[] },
): Admission {
  const guard = createGuard(allowedHosts);
  const identify = createIdentify(hub, auth);
  const readQuery = compileQuery(undefined);

  async function know(asked: Asked, access: Access): Promise<Known> {
    guard.check(asked.headers);
    const known = access === 'public' ? ANONYMOUS : await identify(asked);
    admit(access, known.identity);
    return known;
  }
  const context: Admission['context'] = (asked, known, query) => contextFor(hub, known, query, asked);

  return {
    know,
    context,
    isOwnHost: (host = '') => guard.isAllowed(host),
    async toMount(asked, access, named, { ownQuery } = {}) {
      const known = await know(asked, access);
      if (access === 'public') return context(asked, known, ANYWHERE);
      if (known.identity.caller.kind === 'member' && pathOf(asked.url) === TEAM_PATH) {
        return memberContext(known, asked);
      }
      const query = ownQuery ? workspaceIn(searchOf(asked.url)) : readQuery(searchOf(asked.url));
      const agent = named ?? query.agent;
      if (agent === undefined) admit('operator', known.identity);
      return context(asked, known, { workspace: query.workspace, agent });
    },
  };
}

export interface FailureLog {
  error(details: object, message: string): void;
}

/** Logs a failure unless it was expected or the client has disconnected. */
export function expectedFailure(
  error: unknown,
  { method, url, signal }: Asked,
  log: FailureLog,
  operation?: string,
): ZooError | null {
  if (error instanceof ZooError && error.code !== 'internal') return error;
  // Operations stop when their caller disconnects.
  if (!signal.aborted) log.error({ err: error, operation, method, path: pathOf(url) }, 'request failed');
  return null;
}
