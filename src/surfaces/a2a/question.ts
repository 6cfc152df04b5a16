import type { Message, Part } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import type { CallContext } from '../../contract/call.ts';
import type { Question } from '../../contract/question.ts';
import type { Run } from '../../contract/run.ts';
import { typedArguments } from '../../platform/text/typed-arguments.ts';
import type { Hub } from '../../hub/hub.ts';

/** The question that a task waits for: input for a tool, or a sign-in at its server. */
export type TaskQuestion = Pick<Question, 'id' | 'kind' | 'title' | 'details'>;

/** The oldest open question of a waiting run. */
export async function questionOf(
  { operations }: Pick<Hub, 'operations'>,
  { id, state }: Pick<Run, 'id' | 'state'>,
  context: CallContext,
): Promise<TaskQuestion | null> {
  if (state !== 'waiting') return null;
  const { questions } = await operations.listQuestions({ run: id, limit: 1 }, context);
  return questions[0] ?? null;
}

/** Whether the question is still open; it can also be answered in the inbox. */
export async function isOpen(
  { operations }: Pick<Hub, 'operations'>,
  questionId: string,
  context: CallContext,
): Promise<boolean> {
  return (await operations.getQuestion({ id: questionId }, context)).status === 'open';
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

/** The schema of the form that the caller fills in; null if there is nothing to fill in. */
export function formOf({ kind, details }: TaskQuestion): Record<string, unknown> | null {
  if (kind !== 'elicitation' || details['mode'] === 'url') return null;
  return fieldsOf(details['requestedSchema']);
}

/**
 * A message as the answer to a question: data parts fill in the form, and so does text, as JSON, `name=value` pairs or
 * the value of the only field. `action: "decline"` in the metadata declines.
 */
export function answerIn(message: Message, question: TaskQuestion): Record<string, unknown> {
  const action: unknown = message.metadata?.['action'] ?? 'accept';
  if (action === 'decline' || action === 'cancel') return { action };
  if (action !== 'accept')
    throw new RequestMalformedError('metadata.action must be accept, decline or cancel');
  const form = formOf(question);
  return form ? { action, content: contentIn(message.parts, form) } : { action };
}

function contentIn(parts: readonly Part[], form: Record<string, unknown>): Record<string, unknown> {
  const data = parts.flatMap(({ content }) => (content?.$case === 'data' ? [fieldsOf(content.value)] : []));
  if (data.length > 0) return Object.fromEntries(data.flatMap((fields) => Object.entries(fields)));
  const texts = parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []));
  const properties = Object.fromEntries(
    Object.entries(fieldsOf(form['properties'])).map(([name, field]) => [name, fieldsOf(field)]),
  );
  return Object.keys(properties).length === 0 ? {} : typedArguments(texts.join('\n'), { properties });
}
