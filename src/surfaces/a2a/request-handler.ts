import { type ListTasksRequest, type SendMessageRequest, TaskState } from '@a2a-js/sdk';
import {
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import type { Agent } from '../../contract/agent.ts';
import type { CallContext } from '../../contract/call.ts';
import type { Run, RunSummary } from '../../contract/run.ts';
import type { Hub } from '../../hub/hub.ts';
import { renderCard } from './agent-card.ts';
import { toA2AError } from './errors.ts';
import { followTask } from './follow-task.ts';
import { isOver, runStates, taskOf, userParts } from './task.ts';

const DEFAULT_PAGE = 50;
const LONGEST_PAGE = 100;

export interface RequestHandlerOptions {
  agent: Agent;
  /** Of the caller; its surface is `a2a`. */
  context: CallContext;
  /** Where the agent is served. */
  url: string;
  /** A context that was not used for this long takes no more messages. */
  contextIdleMs: number;
}

/** One agent for one caller. A context is a chat, a task is one of its runs; both are those of the hub. */
export function createRequestHandler(
  hub: Pick<Hub, 'operations'>,
  { agent, context, url, contextIdleMs }: RequestHandlerOptions,
): A2ARequestHandler {
  const { operations } = hub;

  async function findRun(id: string): Promise<Run> {
    if (id.trim() === '') throw new RequestMalformedError('A task id is required.');
    const run = await operations.getRun({ id }, context);
    if (run.agentId === agent.id && run.surface === 'a2a') return run;
    throw new TaskNotFoundError(`No task '${id}'.`);
  }

  /** The chat that a message belongs to: of its task, of its context, or a new one. */
  async function chatFor(taskId: string, contextId: string): Promise<string> {
    if (taskId !== '') {
      const { state, chatId } = await findRun(taskId);
      if (contextId !== '' && contextId !== chatId)
        throw new RequestMalformedError(`Task '${taskId}' is not part of context '${contextId}'.`);
      if (isOver(state) || chatId === null) {
        const message = `Task '${taskId}' has ended. Send the message with contextId '${chatId}' and without taskId.`;
        throw new UnsupportedOperationError(message);
      }
      return chatId;
    }
    if (contextId === '') {
      const { id } = await operations.createChat({ body: { agent: agent.id, headless: true } }, context);
      return id;
    }
    const chat = await operations.getChat({ id: contextId }, context);
    const isIdle = Date.now() - Date.parse(chat.updatedAt) > contextIdleMs;
    if (chat.agentId !== agent.id || chat.surface !== 'a2a' || isIdle)
      throw new RequestMalformedError(`No context '${contextId}'. Omit contextId to start a new one.`);
    return chat.id;
  }

  async function start({ message, configuration }: SendMessageRequest): Promise<string> {
    const parts = userParts(message);
    if (configuration?.taskPushNotificationConfig) throw new PushNotificationNotSupportedError();
    const id = await chatFor(message?.taskId ?? '', message?.contextId ?? '');
    const { runId } = await operations.sendMessage({ id, body: { message: parts } }, context);
    return runId;
  }

  async function waitForEnd(id: string): Promise<void> {
    for await (const { event } of operations.followRun({ id }, context)) if (event.type === 'done') return;
  }

  async function listRuns({ contextId, status, statusTimestampAfter }: ListTasksRequest, most: number) {
    const states = status === TaskState.TASK_STATE_UNSPECIFIED ? [undefined] : runStates(status);
    const filter = {
      agent: agent.id,
      surface: 'a2a',
      limit: most,
      ...(contextId === '' ? {} : { chat: contextId }),
      ...(statusTimestampAfter === undefined ? {} : { since: statusTimestampAfter }),
    };
    const lists = await Promise.all(
      states.map((state) => operations.listRuns(state ? { ...filter, state } : filter, context)),
    );
    const runs = lists.flatMap((list) => list.runs).toSorted(newestFirst);
    return { runs, total: lists.reduce((sum, list) => sum + list.total, 0) };
  }

  const handler: A2ARequestHandler = {
    getAgentCard: async () => renderCard(agent, url),
    getAuthenticatedExtendedAgentCard: async () => renderCard(agent, url),

    async sendMessage(params) {
      const id = await start(params);
      const { returnImmediately = false, historyLength } = params.configuration ?? {};
      if (!returnImmediately) await waitForEnd(id);
      return taskOf(await findRun(id), { historyLength });
    },
    async *sendMessageStream(params) {
      yield* followTask(hub, await start(params), context);
    },
    async *resubscribe({ id }) {
      const { state } = await findRun(id);
      if (isOver(state)) throw new UnsupportedOperationError(`Task '${id}' has ended.`);
      yield* followTask(hub, id, context);
    },
    getTask: async ({ id, historyLength }) => taskOf(await findRun(id), { historyLength }),

    async listTasks(params) {
      const { pageSize = DEFAULT_PAGE, pageToken, historyLength, includeArtifacts = false } = params;
      if (pageSize < 1 || pageSize > LONGEST_PAGE)
        throw new RequestMalformedError(`pageSize must be between 1 and ${LONGEST_PAGE}`);
      const offset = parsePageToken(pageToken);
      const { runs, total } = await listRuns(params, Math.min(offset + pageSize, 1_000));
      const page = runs.slice(offset, offset + pageSize);
      const tasks = await Promise.all(page.map(({ id }) => findRun(id)));
      const next = offset + page.length;
      return {
        tasks: tasks.map((run) => taskOf(run, { historyLength, artifacts: includeArtifacts })),
        nextPageToken: page.length > 0 && next < total ? String(next) : '',
        pageSize,
        totalSize: total,
      };
    },

    async cancelTask({ id }) {
      const { state } = await findRun(id);
      if (isOver(state)) throw new TaskNotCancelableError(`Task '${id}' has ended.`);
      await operations.cancelRun({ id }, context);
      return taskOf(await findRun(id));
    },

    createTaskPushNotificationConfig: refusePush,
    getTaskPushNotificationConfig: refusePush,
    listTaskPushNotificationConfigs: refusePush,
    deleteTaskPushNotificationConfig: refusePush,
  };
  return translateErrors(handler);
}

const refusePush = (): Promise<never> => Promise.reject(new PushNotificationNotSupportedError());

const newestFirst = (a: RunSummary, b: RunSummary): number =>
  a.createdAt === b.createdAt ? (a.id < b.id ? -1 : 1) : a.createdAt < b.createdAt ? 1 : -1;

function parsePageToken(token: string): number {
  if (token === '') return 0;
  if (/^\d{1,6}$/.test(token)) return Number(token);
  throw new RequestMalformedError(`Invalid pageToken "${token}".`);
}

/** Every method fails with errors of the protocol. */
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
  };
}
