import type { Questions } from '../../platform/store/questions.ts';

export interface QuestionsOfRun extends Questions {
  withdrawAll(): Promise<void>;
}

/** Most runs ask nobody, and then there is nothing to withdraw. One that was resumed may have asked before. */
export function questionsOfRun(
  questions: Questions,
  { runId, isResumed }: { runId: string; isResumed: boolean },
): QuestionsOfRun {
  let hasAsked = isResumed;
  return {
    ...questions,
    ask(question) {
      hasAsked = true;
      return questions.ask(question);
    },
    async withdrawAll() {
      if (hasAsked) await questions.withdraw({ kind: 'run', id: runId });
    },
  };
}
