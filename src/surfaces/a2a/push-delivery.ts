import { setTimeout as sleep } from 'node:timers/promises';
import { A2A_CONTENT_TYPE, StreamResponse } from '@a2a-js/sdk';
import type { PushConfig } from '../../hub/a2a/push-configs.ts';
import type { Log } from '../../platform/home/log.ts';
import type { HostGrants } from '../../scripting/host/host-grants.ts';
import { sendRequest } from '../../scripting/host/http-request.ts';

const ATTEMPTS = 6;
const TIMEOUT_MS = 15_000;

export interface PushDelivery {
  log: Pick<Log, 'warn'>;
  /** The delay before the first retry; it doubles with each retry. */
  retryMs: number;
  grants(): HostGrants;
  signal: AbortSignal;
}

/** Returns the configs whose receivers accepted or rejected the event. */
export async function deliverToAll(
  configs: readonly PushConfig[],
  event: StreamResponse,
  delivery: PushDelivery,
): Promise<PushConfig[]> {
  const body = Buffer.from(JSON.stringify(StreamResponse.toJSON(event)));
  const settled = await Promise.all(configs.map((config) => deliver(config, body, delivery)));
  return configs.filter((_config, index) => settled[index]);
}

/** Retries while the receiver is unreachable or busy; a rejection is final. False if it never responded. */
async function deliver(
  config: PushConfig,
  body: Uint8Array,
  { log, retryMs, grants, signal }: PushDelivery,
): Promise<boolean> {
  for (let attempt = 1; !signal.aborted; attempt++) {
    const outcome = await post(config, body, grants(), signal).catch((error: unknown) => error);
    if (typeof outcome === 'number' && outcome < 300) return true;
    const isFinal = typeof outcome === 'number' && outcome < 500 && outcome !== 408 && outcome !== 429;
    if (isFinal || attempt === ATTEMPTS) {
      // The rest of the URL may contain a secret.
      const { host } = new URL(config.url);
      log.warn('a push notification could not be delivered', { taskId: config.taskId, host, outcome });
      return isFinal;
    }
    await sleep(retryMs * 2 ** (attempt - 1), undefined, { signal }).catch(() => undefined);
  }
  return false;
}

async function post(
  { url, token, scheme, credentials }: PushConfig,
  body: Uint8Array,
  grants: HostGrants,
  signal: AbortSignal,
): Promise<number> {
  const headers = {
    'content-type': A2A_CONTENT_TYPE,
    ...(token === '' ? {} : { 'x-a2a-notification-token': token }),
    ...(scheme === '' ? {} : { authorization: `${scheme} ${credentials}` }),
  };
  const request = { method: 'POST', url: new URL(url), headers, body, timeoutMs: TIMEOUT_MS, follow: false };
  const { status } = await sendRequest(request, grants, signal);
  return status;
}
