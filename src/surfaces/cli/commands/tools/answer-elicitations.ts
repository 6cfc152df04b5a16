import { setTimeout as sleep } from 'node:timers/promises';
import type { ZooClient } from '../../../../contract/api.ts';
import { ZooError } from '../../../../contract/errors.ts';
import type { Question } from '../../../../contract/question.ts';
import { type Asker, confirm } from '../../input/asker.ts';
import { type Invocation, say } from '../../invocation.ts';

const POLL_MS = 250;

type Answer = { action: 'accept'; content?: Record<string, unknown> } | { action: 'decline' | 'cancel' };

/** Asks the person at the terminal whatever a tool asks under this id, until it is stopped. */
export function answerElicitations(call: Invocation, client: ZooClient, askAs: string) {
  const ended = new AbortController();
  const answerAll = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const { questions } = await client.call('listQuestions', { kind: 'elicitation' });
      for (const question of questions.filter(({ asker }) => asker.id === askAs)) {
        await answerOne(call, client, question);
      }
      await sleep(POLL_MS, null, { signal: ended.signal }).catch(() => undefined);
    }
  };
  const answering = answerAll();
  // Reported by `stop`; until then the call itself may fail for the same reason.
  answering.catch(() => undefined);
  return {
    stop(): Promise<void> {
      ended.abort();
      return answering;
    },
  };
}

/** A question that was answered elsewhere in the meantime is settled. */
async function answerOne(
  call: Invocation,
  client: ZooClient,
  { id, title, details }: Question,
): Promise<void> {
  const { asker } = call.terminal;
  if (!asker) return;
  say(call, title);
  const answer = await askPerson(asker, details);
  try {
    await client.call('answerQuestion', { id, body: { answer: { ...answer } } });
  } catch (error) {
    if (!(error instanceof ZooError) || error.code !== 'conflict') throw error;
    say(call, error.message);
  }
}

async function askPerson(asker: Asker, details: Question['details']): Promise<Answer> {
  if (details['mode'] === 'url') {
    const opened = await confirm(
      asker,
      `Open ${textOf(details['url'])} and continue when you are done?`,
      true,
    );
    return { action: opened ? 'accept' : 'decline' };
  }
  const schema = asTable(details['requestedSchema']);
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields = Object.entries(asTable(schema['properties']));
  if (fields.length === 0) {
    return (await confirm(asker, 'Accept?')) ? { action: 'accept', content: {} } : { action: 'decline' };
  }
  const content: Record<string, unknown> = {};
  for (const [name, field] of fields) {
    const value = await askField(asker, name, asTable(field), required.includes(name));
    if (value === null) return { action: 'cancel' };
    if (value !== undefined) content[name] = value;
  }
  return { action: 'accept', content };
}

/** Null if the person cancelled, undefined if an optional field was left empty. */
async function askField(
  asker: Asker,
  name: string,
  field: Record<string, unknown>,
  required: boolean,
): Promise<unknown> {
  const { title, description, default: fallback } = field;
  const label = [typeof title === 'string' ? title : name, description].filter(isText).join(': ');
  const choices = choicesOf(field);
  if (choices) {
    const chosen = await asker.choose(label, choices);
    return chosen !== null && field['type'] === 'boolean' ? chosen === 'true' : chosen;
  }
  const numeric = field['type'] === 'number' || field['type'] === 'integer';
  const answer = await asker.text(label, {
    ...(fallback === undefined ? {} : { placeholder: textOf(fallback) }),
    refuse(given) {
      if (given === '') return required && fallback === undefined ? 'An answer is required.' : undefined;
      return numeric && Number.isNaN(Number(given)) ? 'It must be a number.' : undefined;
    },
  });
  if (answer === null) return null;
  if (answer === '') return fallback;
  return numeric ? Number(answer) : answer;
}

function choicesOf(field: Record<string, unknown>): { value: string; hint?: string }[] | null {
  if (field['type'] === 'boolean') return [{ value: 'true' }, { value: 'false' }];
  if (Array.isArray(field['enum'])) return field['enum'].map((value) => ({ value: textOf(value) }));
  if (!Array.isArray(field['oneOf'])) return null;
  return field['oneOf'].map(asTable).map(({ const: value, title }) => ({
    value: textOf(value),
    ...(isText(title) ? { hint: title } : {}),
  }));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const asTable = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
