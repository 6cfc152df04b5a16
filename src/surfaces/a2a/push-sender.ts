import type { StreamResponse } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import type { Run } from '../../contract/run.ts';
import type { Log } from '../../platform/home/log.ts';
import type { PushConfig } from '../../hub/a2a/push-configs.ts';
import type { Hub } from '../../hub/hub.ts';
import { parseHostGrants } from '../../scripting/host/host-grants.ts';
import { statusUpdate } from './follow-task.ts';
import { deliverToAll } from './push-delivery.ts';
import { isOpen, questionOf } from './question.ts';
import { isOver, taskOf } from './task.ts';

/** Sends push notifications about tasks to the URLs that their callers have registered. */
export interface PushSender {
  /** Throws for a URL that is not allowed: not public, and not in `[a2a] push_hosts`. */
  check(url: string): void;
  /** Follows the task to its end, and sends its notifications. */
  watch(config: Pick<PushConfig, 'taskId' | 'workspace'>): void;
  /** Sends the notifications that the previous hub did not deliver. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

export interface PushSenderOptions {
  log: Pick<Log, 'warn' | 'error'>;
  /** The delay before the first retry; it doubles with each retry. */
  retryMs?: number | undefined;
}

const RETRY_MS = 1_000;

export function createPushSender(hub: Hub, { log, retryMs = RETRY_MS }: PushSenderOptions): PushSender {
  const closing = new AbortController();
  const { signal } = closing;
  const watched = new Map<string, Promise<void>>();
  /** Tasks that got another config while they were followed. */
  const changed = new Set<string>();
  // Hosts on a private network are called only if the user's config names them.
  const grants = () => parseHostGrants(['*:*', ...hub.a2aSettings().pushHosts]);
  const delivery = { log, retryMs, grants, signal };

  async function report(taskId: string, workspace: string): Promise<void> {
    const context = hub.localContext(workspace, signal);
    const read = () => hub.operations.getRun({ id: taskId }, context);
    const tell = async (run: Run): Promise<void> => {
      const configs = await hub.pushConfigs.unfinished(taskId);
      await deliverToAll(configs, statusUpdate(run, await questionOf(hub, run, context)), delivery);
    };
    const first = await read();
    if (!isOver(first.state)) {
      await tell(first);
      for await (const { event } of hub.operations.followRun({ id: taskId }, context)) {
        if (event.type === 'done') break;
        if (event.type === 'question-asked' && (await isOpen(hub, event.questionId, context)))
          await tell(await read());
      }
    }
    const last = await read();
    if (isOver(last.state)) await reportEnd(taskId, { payload: { $case: 'task', value: taskOf(last) } });
  }

  /** A config whose last notification failed stays unfinished: the next hub retries. */
  async function reportEnd(taskId: string, event: StreamResponse): Promise<void> {
    const configs = await hub.pushConfigs.unfinished(taskId);
    const settled = await deliverToAll(configs, event, delivery);
    if (signal.aborted) return;
    for (const config of settled) await hub.pushConfigs.finish(config);
  }

  const watch: PushSender['watch'] = (config) => {
    const { taskId, workspace } = config;
    if (signal.aborted) return;
    if (watched.has(taskId)) {
      changed.add(taskId);
      return;
    }
    const work = report(taskId, workspace)
      .catch((error: unknown) => {
        if (!signal.aborted) log.error('a task could not be followed', { taskId, error });
      })
      .finally(() => {
        watched.delete(taskId);
        if (changed.delete(taskId)) watch(config);
      });
    watched.set(taskId, work);
  };

  return {
    check(url) {
      if (!URL.canParse(url) || !/^https?:\/\//i.test(url))
        throw new RequestMalformedError(`'${url}' is not an http or https address.`);
      const target = new URL(url);
      if (target.username !== '' || target.password !== '')
        throw new RequestMalformedError('Put credentials into `authentication`, not into the URL.');
      // Host names are resolved, and their addresses checked, on each delivery.
      if (!grants().allowsUrl(target))
        throw new RequestMalformedError(
          `${target.host} is not a public name. [a2a] push_hosts can allow it.`,
        );
    },
    watch,
    async resume() {
      for (const config of await hub.pushConfigs.unfinished()) watch(config);
    },
    async close() {
      closing.abort();
      await Promise.all(watched.values());
    },
  };
}
