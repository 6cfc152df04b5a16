import type { Message } from '@a2a-js/sdk';
import { RequestMalformedError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import type { Hub } from '../../hub/hub.ts';
import type { CallerTasks } from './caller-tasks.ts';
import { isOver, userParts } from './task.ts';

export interface StartOptions extends CallerTasks {
  /** A context that was not used for this long takes no more messages. */
  contextIdleMs: number;
}

/** Sends a message to its chat, and returns the run that answers it: a new one, or the one under way. */
export async function startTask(
  { operations }: Pick<Hub, 'operations'>,
  message: Message | undefined,
  options: StartOptions,
): Promise<string> {
  const parts = userParts(message);
  const { taskId = '', contextId = '' } = message ?? {};
  const id = await chatFor(operations, taskId, contextId, options);
  const { runId } = await operations.sendMessage({ id, body: { message: parts } }, options.context);
  return runId;
}

/** The chat that a message belongs to: of its task, of its context, or a new one. */
async function chatFor(
  operations: Hub['operations'],
  taskId: string,
  contextId: string,
  { agentId, context, contextIdleMs, findRun }: StartOptions,
): Promise<string> {
  if (taskId !== '') {
    const { state, chatId } = await findRun(taskId);
    if (contextId !== '' && contextId !== chatId)
      throw new RequestMalformedError(`Task '${taskId}' is not part of context '${contextId}'.`);
    if (!isOver(state) && chatId !== null) return chatId;
    throw new UnsupportedOperationError(
      `Task '${taskId}' has ended. Send the message with contextId '${chatId}' and without taskId.`,
    );
  }
  if (contextId === '')
    return (await operations.createChat({ body: { agent: agentId, headless: true } }, context)).id;
  const chat = await operations.getChat({ id: contextId }, context);
  const isIdle = Date.now() - Date.parse(chat.updatedAt) > contextIdleMs;
  if (chat.agentId === agentId && chat.surface === 'a2a' && !isIdle) return chat.id;
  throw new RequestMalformedError(`No context '${contextId}'. Omit contextId to start a new one.`);
}
