import type { Message } from '@a2a-js/sdk';
import { RequestMalformedError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { ZooError } from '../../contract/errors.ts';
import type { Run } from '../../contract/run.ts';
import type { Hub } from '../../hub/hub.ts';
import type { CallerTasks } from './caller-tasks.ts';
import { answerIn, questionOf } from './question.ts';
import { isOver, userParts } from './task.ts';

export interface StartOptions extends CallerTasks {
  /** A context that was idle for this long accepts no more messages. */
  contextIdleMs: number;
}

/**
 * Sends a message to its chat, and returns the run that answers it: a new one, or the active one. If that run waits for
 * its caller, the message is the answer.
 */
export async function startTask(
  hub: Pick<Hub, 'operations'>,
  message: Message | undefined,
  options: StartOptions,
): Promise<string> {
  const parts = userParts(message);
  const { taskId = '', contextId = '' } = message ?? {};
  const { operations } = hub;
  const { chatId: id, waiting } = await chatFor(operations, taskId, contextId, options);
  const question = waiting && (await questionOf(hub, waiting, options.context));
  if (message && waiting && question) {
    const answer = answerIn(message, question);
    await operations.answerQuestion({ id: question.id, body: { answer } }, options.context);
    return waiting.id;
  }
  const { runId } = await operations.sendMessage({ id, body: { message: parts } }, options.context);
  return runId;
}

interface Place {
  chatId: string;
  /** The run of the chat that may wait for an answer. */
  waiting: Pick<Run, 'id' | 'state'> | null;
}

/** The chat that a message belongs to: of its task, of its context, or a new one. */
async function chatFor(
  operations: Hub['operations'],
  taskId: string,
  contextId: string,
  { agentId, context, contextIdleMs, findRun }: StartOptions,
): Promise<Place> {
  if (taskId !== '') {
    const { state, chatId } = await findRun(taskId);
    if (contextId !== '' && contextId !== chatId)
      throw new RequestMalformedError(`Task '${taskId}' is not part of context '${contextId}'.`);
    if (!isOver(state) && chatId !== null) return { chatId, waiting: { id: taskId, state } };
    throw new UnsupportedOperationError(
      `Task '${taskId}' has ended. Send the message with contextId '${chatId}' and without taskId.`,
    );
  }
  if (contextId === '') {
    const { id } = await operations.createChat(
      { body: { agent: agentId, arguments: {}, headless: true } },
      context,
    );
    return { chatId: id, waiting: null };
  }
  const noContext = new RequestMalformedError(
    `No context '${contextId}'. Omit contextId to start a new one.`,
  );
  const chat = await operations.getChat({ id: contextId }, context).catch((error: unknown) => {
    throw error instanceof ZooError && error.code === 'chat_not_found' ? noContext : error;
  });
  const isIdle = Date.now() - Date.parse(chat.updatedAt) > contextIdleMs;
  if (chat.agentId === agentId && chat.surface === 'a2a' && !isIdle) {
    const waits = chat.history.find((turn) => turn.state === 'waiting');
    return { chatId: chat.id, waiting: waits ? { id: waits.runId, state: waits.state } : null };
  }
  throw noContext;
}
