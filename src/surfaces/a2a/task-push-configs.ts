import { randomUUID } from 'node:crypto';
import type { TaskPushNotificationConfig } from '@a2a-js/sdk';
import { RequestMalformedError, TaskNotFoundError } from '@a2a-js/sdk/errors';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import type { Run } from '../../contract/run.ts';
import type { PushConfig, PushConfigs } from '../../hub/a2a/push-configs.ts';
import type { PushSender } from './push-sender.ts';

const MOST_CONFIGS = 10;
/** Per field, since configs are stored as long as their task. */
const LONGEST = 4_096;

export interface TaskPushConfigs {
  /** Throws for a config that `create` would reject for any task. */
  check(config: TaskPushNotificationConfig): void;
  create(config: TaskPushNotificationConfig): Promise<TaskPushNotificationConfig>;
  get: A2ARequestHandler['getTaskPushNotificationConfig'];
  list: A2ARequestHandler['listTaskPushNotificationConfigs'];
  remove: A2ARequestHandler['deleteTaskPushNotificationConfig'];
}

export interface TaskPushConfigsParts {
  /** Throws for a task that the caller may not see. */
  findRun(id: string): Promise<Run>;
  workspace: string;
}

/** The push configs of the tasks of one caller. */
export function createTaskPushConfigs(
  store: PushConfigs,
  push: PushSender,
  { findRun, workspace }: TaskPushConfigsParts,
): TaskPushConfigs {
  const listOf = async (taskId: string): Promise<PushConfig[]> => {
    await findRun(taskId);
    return store.list(taskId);
  };
  const check: TaskPushConfigs['check'] = ({ id, url, token, authentication }) => {
    push.check(url);
    const { scheme = '', credentials = '' } = authentication ?? {};
    if ([id, url, token, scheme, credentials].some(({ length }) => length > LONGEST))
      throw new RequestMalformedError(
        `A field of a push notification config has at most ${LONGEST} characters.`,
      );
    if (!/^[\w-]*$/.test(scheme) || /[^\t\x20-\x7e]/.test(`${token}${credentials}`))
      throw new RequestMalformedError('Tokens, schemes and credentials must be valid in an HTTP header.');
  };
  return {
    check,
    async create(asked) {
      const { taskId, id, url, token, authentication } = asked;
      const known = await listOf(taskId);
      check(asked);
      const named = id === '' ? randomUUID() : id;
      if (known.length >= MOST_CONFIGS && !known.some((config) => config.id === named))
        throw new RequestMalformedError(`A task has at most ${MOST_CONFIGS} push notification configs.`);
      const { scheme = '', credentials = '' } = authentication ?? {};
      const config = { taskId, id: named, workspace, url, token, scheme, credentials };
      await store.put(config);
      push.watch(config);
      return toProtocol(config);
    },
    async get({ taskId, id }) {
      const config = (await listOf(taskId)).find((each) => each.id === id);
      if (config) return toProtocol(config);
      throw new TaskNotFoundError(`Task '${taskId}' has no push notification config '${id}'.`);
    },
    list: async ({ taskId }) => ({ configs: (await listOf(taskId)).map(toProtocol), nextPageToken: '' }),
    async remove({ taskId, id }) {
      await findRun(taskId);
      await store.remove(taskId, id);
    },
  };
}

const toProtocol = ({
  taskId,
  id,
  url,
  token,
  scheme,
  credentials,
}: PushConfig): TaskPushNotificationConfig => ({
  tenant: '',
  taskId,
  id,
  url,
  token,
  authentication: scheme === '' ? undefined : { scheme, credentials },
});
