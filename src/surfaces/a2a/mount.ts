import type { CallContext } from '../../contract/call.ts';
import type { Hub } from '../../hub/hub.ts';
import { loadOnce } from '../../platform/caching/load-once.ts';
import type { Log } from '../../platform/home/log.ts';
import type { PushSender } from './push-sender.ts';

const CARD = '/.well-known/agent-card.json';

/** The routes of the protocol, as the HTTP surface mounts them. */
export interface A2AMount {
  routes: readonly { path: `/${string}`; public?: true; ownQuery?: true }[];
  handle(request: Request, context: CallContext): Promise<Response>;
  close(): Promise<void>;
}

export interface A2AMountOptions {
  log: Pick<Log, 'warn' | 'error'>;
  /** The delay before the first retry of a push notification. */
  retryMs?: number | undefined;
}

/**
 * Offers autonomous agents to other agents. Cards are public; everything else needs a token. The SDK is loaded on the
 * first request.
 */
export function createA2AMount(hub: Hub, { log, retryMs }: A2AMountOptions): A2AMount {
  const { get: open, started } = loadOnce(async () => {
    const { createPushSender } = await import('./push-sender.ts');
    return createPushSender(hub, { log, retryMs });
  });
  const resumed = resume(hub, open).catch((error: unknown) => log.error('push configs failed', { error }));
  return {
    routes: [
      { path: CARD, public: true },
      { path: `/a2a/{agent}${CARD}`, public: true },
      { path: '/a2a/{agent}' },
      { path: '/a2a/{agent}/v1/*', ownQuery: true },
    ],
    async handle(request, context) {
      const { answerA2A } = await import('./answer.ts');
      const parts = { push: await open(), log };
      return answerA2A(hub, request, { ...context, agent: null, surface: 'a2a' }, parts);
    },
    async close() {
      await resumed;
      await (await started())?.close();
    },
  };
}

/** Sends the push notifications that the previous hub did not deliver. */
async function resume(hub: Hub, open: () => Promise<PushSender>): Promise<void> {
  if ((await hub.pushConfigs.unfinished()).length > 0) await (await open()).resume();
}
