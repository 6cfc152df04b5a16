import { setTimeout as sleep } from 'node:timers/promises';
import type { Implementation } from '../../contract/api.ts';
import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { UpstreamLogin } from '../../contract/operations/upstreams.ts';
import type { SignIn } from '../../tools/upstream/login/sign-in.ts';
import type { Upstream } from '../../tools/upstream/upstream.ts';
import type { UpstreamAccess } from './upstream-access.ts';
import { messageOf } from '../../platform/text/error-message.ts';

/** Clients and proxies time out if a request is silent for longer. */
const LISTEN_MS = 20_000;

type LoginOperations = Pick<Implementation, 'loginUpstream' | 'getUpstreamLogin' | 'logoutUpstream'>;

/** The current sign-in, or the result of the last one. */
interface Attempt {
  signIn: SignIn;
  over: boolean;
  error: string | null;
  /** Never rejects. */
  settled: Promise<void>;
}

export function implementUpstreamLogins(
  { upstreams, logins, signedIn }: Pick<UpstreamAccess, 'upstreams' | 'logins' | 'signedIn'>,
  find: (name: string, context: CallContext) => Promise<Upstream>,
): LoginOperations {
  const attempts = new Map<string, Attempt>();

  async function httpServer(name: string, context: CallContext) {
    const upstream = await find(name, context);
    if (upstream.launch.kind === 'http') return { upstream, launch: upstream.launch };
    throw new ZooError(
      'invalid_arguments',
      `'${name}' is a local command, which has no sign-in. Put its credentials into \`env\`.`,
    );
  }

  async function statusOf(url: string): Promise<UpstreamLogin> {
    const attempt = attempts.get(url);
    if (attempt && !attempt.over) return { state: 'waiting', url: attempt.signIn.url, error: null };
    if (attempt?.error) return { state: 'failed', url: null, error: attempt.error };
    return { state: (await logins.has(url)) ? 'done' : 'none', url: null, error: null };
  }

  async function follow(upstream: Upstream, attempt: Attempt): Promise<void> {
    try {
      await attempt.signIn.done;
      await upstreams.restart(upstream);
      // Lists its tools now; a failure is shown in its status.
      await upstreams.look(upstream).catch(() => undefined);
      await signedIn(upstream.name);
    } catch (error) {
      attempt.error = messageOf(error);
    }
    attempt.over = true;
  }

  return {
    async loginUpstream({ name }, context) {
      const { upstream, launch } = await httpServer(name, context);
      attempts.get(launch.url)?.signIn.close();
      const { signIn } = await import('../../tools/upstream/login/sign-in.ts');
      const begun = await signIn(launch, logins).catch((error: unknown) => {
        const why = messageOf(error);
        throw new ZooError('tool_error', `The server '${name}': ${why}`, { server: name });
      });
      if (begun.url === null) return { state: 'done', url: null, error: null };
      const attempt: Attempt = { signIn: begun, over: false, error: null, settled: Promise.resolve() };
      attempts.set(launch.url, attempt);
      attempt.settled = follow(upstream, attempt);
      return statusOf(launch.url);
    },

    async getUpstreamLogin({ name }, context) {
      const { launch } = await httpServer(name, context);
      const waiting = attempts.get(launch.url);
      if (waiting && !waiting.over) {
        await Promise.race([waiting.settled, sleep(LISTEN_MS, undefined, { ref: false })]);
      }
      return statusOf(launch.url);
    },

    async logoutUpstream({ name }, context) {
      const { upstream, launch } = await httpServer(name, context);
      attempts.get(launch.url)?.signIn.close();
      attempts.delete(launch.url);
      await logins.forget(launch.url);
      await upstreams.restart(upstream);
      return statusOf(launch.url);
    },
  };
}
