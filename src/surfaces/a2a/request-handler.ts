import type { SendMessageRequest, Task } from '@a2a-js/sdk';
import {
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import type { Agent } from '../../contract/agent.ts';
import type { CallContext } from '../../contract/call.ts';
import type { Run } from '../../contract/run.ts';
import type { Hub } from '../../hub/hub.ts';
import { type CardPlace, renderCard, renderExtendedCard } from './agent-card.ts';
import { toA2AError } from './errors.ts';
import { followTask } from './follow-task.ts';
import { listTasks } from './list-tasks.ts';
import type { PushSender } from './push-sender.ts';
import { isOpen, questionOf } from './question.ts';
import { startTask } from './start-task.ts';
import { createTaskPushConfigs } from './task-push-configs.ts';
import { checkHistoryLength, isOver, type TaskParts, taskOf } from './task.ts';

export interface RequestHandlerOptions extends CardPlace {
  agent: Agent;
  /** Of the caller; its surface is `a2a`. */
  context: CallContext;
  /** A context that was idle for this long accepts no more messages. */
  contextIdleMs: number;
  push: PushSender;
}

/** The methods of one agent for one caller. A context is a chat of the hub, and a task is one of its runs. */
export function createRequestHandler(
  hub: Pick<Hub, 'operations' | 'pushConfigs'>,
  { agent, context, contextIdleMs, push, ...place }: RequestHandlerOptions,
): A2ARequestHandler {
  const { operations } = hub;
  const tasks = { agentId: agent.id, context, findRun, readTask };
  const configs = createTaskPushConfigs(hub.pushConfigs, push, { findRun, workspace: context.workspace });

  async function findRun(id: string): Promise<Run> {
    if (id.trim() === '') throw new RequestMalformedError('A task id is required.');
    const run = await operations.getRun({ id }, context);
    if (run.agentId === agent.id && run.surface === 'a2a') return run;
    throw new TaskNotFoundError(`No task '${id}'.`);
  }

  async function readTask(run: Run, parts: TaskParts = {}): Promise<Task> {
    checkHistoryLength(parts.historyLength);
    return taskOf(run, { ...parts, question: await questionOf(hub, run, context) });
  }

  async function start({ message, configuration }: SendMessageRequest): Promise<string> {
    const { taskPushNotificationConfig: wanted, historyLength } = configuration ?? {};
    checkHistoryLength(historyLength);
    if (wanted) configs.check(wanted);
    const taskId = await startTask(hub, message, { ...tasks, contextIdleMs });
    if (wanted) await configs.create({ ...wanted, taskId });
    return taskId;
  }

  /** Resolves when the task has ended, or waits for its caller. */
  async function waitForTask(id: string): Promise<void> {
    for await (const { event } of operations.followRun({ id }, context)) {
      if (event.type === 'done') return;
      if (event.type === 'question-asked' && (await isOpen(hub, event.questionId, context))) return;
    }
  }

  const handler: A2ARequestHandler = {
    getAgentCard: async () => renderCard(agent, place),
    getAuthenticatedExtendedAgentCard: async () => renderExtendedCard(agent, place),

    async sendMessage(params) {
      const id = await start(params);
      const { returnImmediately = false, historyLength } = params.configuration ?? {};
      if (!returnImmediately) await waitForTask(id);
      return readTask(await findRun(id), { historyLength });
    },
    async *sendMessageStream(params) {
      yield* followTask(hub, await start(params), context);
    },
    async *resubscribe({ id }) {
      const { state } = await findRun(id);
      if (isOver(state)) throw new UnsupportedOperationError(`Task '${id}' has ended.`);
      yield* followTask(hub, id, context);
    },
    getTask: async ({ id, historyLength }) => readTask(await findRun(id), { historyLength }),

    listTasks: (params) => listTasks(hub, params, tasks),

    async cancelTask({ id }) {
      const { state } = await findRun(id);
      if (isOver(state)) throw new TaskNotCancelableError(`Task '${id}' has ended.`);
      await operations.cancelRun({ id }, context);
      return taskOf(await findRun(id));
    },

    createTaskPushNotificationConfig: configs.create,
    getTaskPushNotificationConfig: configs.get,
    listTaskPushNotificationConfigs: configs.list,
    deleteTaskPushNotificationConfig: configs.remove,
  };
  return translateErrors(handler);
}

/** Converts the errors of all methods to those of the protocol. */
function translateErrors(handler: A2ARequestHandler): A2ARequestHandler {
  const once =
    <A extends unknown[], R>(method: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      try {
        return await method(...args);
      } catch (error) {
        throw toA2AError(error);
      }
    };
  const stream = <A extends unknown[], T>(method: (...args: A) => AsyncGenerator<T, void, undefined>) =>
    async function* translated(...args: A): AsyncGenerator<T, void, undefined> {
      try {
        yield* method(...args);
      } catch (error) {
        throw toA2AError(error);
      }
    };
  return {
    ...handler,
    sendMessage: once(handler.sendMessage),
    sendMessageStream: stream(handler.sendMessageStream),
    resubscribe: stream(handler.resubscribe),
    getTask: once(handler.getTask),
    listTasks: once(handler.listTasks),
    cancelTask: once(handler.cancelTask),
    createTaskPushNotificationConfig: once(handler.createTaskPushNotificationConfig),
    getTaskPushNotificationConfig: once(handler.getTaskPushNotificationConfig),
    listTaskPushNotificationConfigs: once(handler.listTaskPushNotificationConfigs),
    deleteTaskPushNotificationConfig: once(handler.deleteTaskPushNotificationConfig),
  };
}
