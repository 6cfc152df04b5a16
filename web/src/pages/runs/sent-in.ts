import type { ModelMessage, Run, RunHistory } from '../../../../src/contract/run.ts';

/** The request of a step: everything that the model was sent in it, in order. */
interface SentRequest {
  system: string;
  tools: readonly string[];
  messages: readonly ModelMessage[];
}

/** A step is sent what came before the run, what was asked, and what all steps before it have added. */
export function sentIn(
  { system, tools, input, stepsTaken }: Pick<Run, 'system' | 'tools' | 'input' | 'stepsTaken'>,
  { messages, shortened }: RunHistory,
  step: number,
): SentRequest {
  const summary = shortened !== null && shortened.step <= step ? shortened : null;
  const added = stepsTaken
    .filter((each) => each.step < step && each.step >= (summary?.step ?? 1))
    .flatMap((each) => each.messages);
  const before = summary?.messages ?? [...messages, { role: 'user' as const, parts: input }];
  return { system, tools, messages: [...before, ...added] };
}
