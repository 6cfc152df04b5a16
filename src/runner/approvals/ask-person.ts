import type { RunEvent } from '../../contract/run.ts';
import type { ClientAnswer } from '../../contract/tool.ts';
import type { Questions } from '../../platform/store/questions.ts';
import type { RunRequest } from '../runs/run-request.ts';
import type { RunWaits } from './run-waits.ts';

/** The tool call that asks ends with its process, so these questions are not repeated under the same id. */
export const PERSON_QUESTIONS = ['elicitation', 'login'] as const;

const ANSWER_WITHIN_MS = 60 * 60_000;

/** Something that a tool needs from a person before it can continue. */
export interface PersonQuestion {
  kind: (typeof PERSON_QUESTIONS)[number];
  title: string;
  details: Record<string, unknown>;
}

/** The answer may decline. Null if nobody answered in time. */
export type AskPerson = (question: PersonQuestion) => Promise<ClientAnswer | null>;

export interface AskPersonParts {
  questions: Questions;
  request: RunRequest;
  waits: RunWaits;
  now(): Date;
  emit(event: RunEvent): void;
}

/** Whether somebody answers the questions of a run: the person in a chat, or the caller of an A2A task. */
export const canAsk = ({ headless, surface, parent }: RunRequest): boolean =>
  parent === undefined && (!headless || surface === 'a2a');

/** Puts a question of a tool call into the inbox, and waits for the answer. */
export function createAskPerson(
  { questions, request, waits, now, emit }: AskPersonParts,
  call: { step: number; toolCallId: string; signal: AbortSignal },
): AskPerson {
  const { step, toolCallId, signal } = call;
  const asker = { kind: 'run', id: request.id };
  return async ({ kind, title, details }) => {
    const { id } = await questions.ask({
      kind,
      asker,
      workspace: request.workspace,
      agentId: request.agentId,
      title,
      details: { ...details, runId: request.id, chatId: request.chat?.id ?? null, toolCallId },
      schema: answerSchema(details['requestedSchema']),
      expiresAt: new Date(now().getTime() + ANSWER_WITHIN_MS),
    });
    const end = await waits.begin();
    emit({ type: 'question-asked', step, questionId: id, toolCallId, kind, message: title });
    try {
      return (await questions.settled(id, signal)).answer;
    } catch (error) {
      await questions.withdraw(asker, PERSON_QUESTIONS);
      throw error;
    } finally {
      await end();
      emit({ type: 'question-settled', step, questionId: id, toolCallId });
    }
  };
}

/** The answer of MCP: an action, and the content of the form if it was accepted. */
function answerSchema(form: unknown): Record<string, unknown> {
  const action = { enum: ['accept', 'decline', 'cancel'] };
  const content = typeof form === 'object' && form !== null ? form : {};
  return { type: 'object', properties: { action, content }, required: ['action'] };
}
