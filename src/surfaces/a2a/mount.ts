import type { CallContext } from '../../contract/call.ts';
import type { Hub } from '../../hub/hub.ts';
import type { Log } from '../../platform/home/log.ts';

const CARD = '/.well-known/agent-card.json';

/** The routes of the protocol, as the HTTP surface mounts them. */
export interface A2AMount {
  routes: readonly { path: `/${string}`; public?: true; ownQuery?: true }[];
  handle(request: Request, context: CallContext): Promise<Response>;
}

/**
 * Autonomous agents for other agents. Cards are public, everything else needs a token. The protocol is loaded with the
 * first request.
 */
export function createA2AMount(hub: Hub, log: Pick<Log, 'error'>): A2AMount {
  return {
    routes: [
      { path: CARD, public: true },
      { path: `/a2a/{agent}${CARD}`, public: true },
      { path: '/a2a/{agent}' },
      { path: '/a2a/{agent}/v1/*', ownQuery: true },
    ],
    async handle(request, context) {
      const { answerA2A } = await import('./answer.ts');
      return answerA2A(hub, request, { ...context, agent: null, surface: 'a2a' }, log);
    },
  };
}
