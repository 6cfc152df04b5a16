import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallContext } from '../../contract/call.ts';
import type { Admission } from './admission.ts';
import { Exchange } from './exchange.ts';
import { BARE_HEADERS } from './headers.ts';
import type { StaticFiles } from './static-files.ts';
import type { TokenUse } from './token-use.ts';

/** A mounted protocol. It gets only admitted requests; errors that it throws are answered like all others. */
export interface Mount {
  routes: readonly MountRoute[];
  handle(request: Request, context: CallContext): Promise<Response>;
}

export interface MountRoute {
  /** `{agent}` stands for the id of an agent, `/*` at the end for everything below. */
  path: `/${string}`;
  /** Accepts requests without a token. */
  public?: true;
  /** Has its own query parameters. */
  ownQuery?: true;
}

/** A mount at one path, and below it for each agent, for protocols that need minimal overhead. */
export interface DirectMount {
  path: `/${string}`;
  answer(exchange: Exchange, context: CallContext): Promise<void>;
}

/** Answers a request and returns true, or leaves it to the router. */
export type Direct = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

export interface DirectParts {
  admission: Admission;
  tokenUse: TokenUse;
  files: StaticFiles | null;
  onError: (error: unknown, exchange: Exchange) => void;
}

export function createDirect(
  mounts: readonly DirectMount[],
  { admission, tokenUse, files, onError }: DirectParts,
): Direct {
  async function answer(mount: DirectMount, exchange: Exchange, agent: string | undefined): Promise<void> {
    try {
      const context = await admission.toMount(exchange, 'agent', agent);
      tokenUse.hold(context.caller, exchange.response);
      await mount.answer(exchange, context);
    } catch (error) {
      onError(error, exchange);
    }
  }
  return (incoming, outgoing) => {
    const { url = '' } = incoming;
    for (const mount of mounts) {
      if (!url.startsWith(mount.path)) continue;
      const agent = agentIn(url.slice(mount.path.length));
      if (agent === null) continue;
      void answer(mount, new Exchange(incoming, outgoing), agent);
      return true;
    }
    // A request for another host is left to the router, which refuses it.
    return files !== null && admission.isOwnHost(incoming.headers.host) && files(incoming, outgoing);
  };
}

/** The agent in a mount's path, undefined without one; null for any other path. */
function agentIn(rest: string): string | undefined | null {
  const [path = ''] = rest.split('?', 1);
  if (path === '') return undefined;
  if (!path.startsWith('/') || path.indexOf('/', 1) >= 0 || path === '/') return null;
  try {
    return decodeURIComponent(path.slice(1));
  } catch {
    return null;
  }
}

export const isDirect = (mount: Mount | DirectMount): mount is DirectMount => 'answer' in mount;

/** A path of the table or of a mount in the router's syntax. */
export const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Mounted protocols build their own responses. */
export function withSafeHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(BARE_HEADERS)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}
