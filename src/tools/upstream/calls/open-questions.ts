import type { ClientAnswer, ClientQuestion } from '../../../contract/tool.ts';

interface OpenQuestion {
  question: ClientQuestion;
  answer(given: ClientAnswer | null): void;
  fail(error: unknown): void;
}

type Answers = Readonly<Record<string, ClientAnswer | null>>;

/** The questions of one request that wait for an answer, under names that only this request uses. */
export interface OpenQuestions {
  /** Resolves with the answer. */
  put(question: ClientQuestion): Promise<ClientAnswer | null>;
  all(): Record<string, ClientQuestion>;
  isEmpty(): boolean;
  answer(answers: Answers): void;
  fail(names: readonly string[], error: unknown): void;
  failAll(error: unknown): void;
  /** Resolves as soon as there is a question. */
  asked(): Promise<void>;
}

export function createOpenQuestions(key: string): OpenQuestions {
  const open = new Map<string, OpenQuestion>();
  let count = 0;
  let onPut: () => void = () => undefined;

  function fail(names: readonly string[], error: unknown): void {
    for (const name of names) {
      open.get(name)?.fail(error);
      open.delete(name);
    }
  }

  return {
    put(question) {
      count += 1;
      const name = `${key}.${count}`;
      return new Promise((resolve, reject) => {
        open.set(name, { question: { ...question, optional: true }, answer: resolve, fail: reject });
        onPut();
      });
    },
    all: () => Object.fromEntries([...open].map(([name, { question }]) => [name, question])),
    isEmpty: () => open.size === 0,
    answer(answers) {
      for (const [name, { answer }] of open) {
        const given = answers[name];
        if (given === undefined) continue;
        open.delete(name);
        answer(given);
      }
    },
    fail,
    failAll: (error) => fail([...open.keys()], error),
    asked: () =>
      new Promise((resolve) => {
        onPut = resolve;
        if (open.size > 0) resolve();
      }),
  };
}
