import { callerName } from '../../contract/call.ts';
import type { Database } from '../../platform/store/database.ts';
import { createQuestions, type Questions } from '../../platform/store/questions.ts';
import { validateArguments } from '../../tools/validate-arguments.ts';
import type { Wing } from '../wing.ts';

const EXPIRE_MS = 5_000;

export interface InboxWing extends Wing<'questions'> {
  /** For rooms that ask questions. */
  questions: Questions;
}

export interface InboxWingParts {
  db: Database;
  now: () => Date;
  serving: boolean;
  log(message: string, error: unknown): void;
}

/** Questions to a person, from every room; the first answer wins. */
export function createInboxWing({ db, now, serving, log }: InboxWingParts): InboxWing {
  const questions = createQuestions({ db, now });
  let expiring: Promise<unknown> = Promise.resolve();
  const expire = (): void => {
    expiring = questions.expire().catch((error: unknown) => log('expiring questions failed', error));
  };
  // One process expires them: the hub that serves the home.
  const timer = serving ? setInterval(expire, EXPIRE_MS).unref() : undefined;

  return {
    questions,
    operations: {
      listQuestions: async ({ run, ...filter }) => ({
        questions: await questions.list({
          ...filter,
          ...(run === undefined ? {} : { asker: { kind: 'run', id: run } }),
        }),
      }),
      getQuestion: ({ id }) => questions.get(id),
      async answerQuestion({ id, body: { answer } }, context) {
        const { schema } = await questions.get(id);
        if (schema) await validateArguments({ name: 'answer', inputSchema: schema }, answer);
        return questions.answer(id, answer, callerName(context));
      },
    },
    async close() {
      clearInterval(timer);
      await expiring;
    },
  };
}
