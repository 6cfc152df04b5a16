import type { ModelMessage, Run } from '../../../../src/contract/run.ts';

/** The request of a step: everything that the model was sent in it, in order. */
interface SentRequest {
  system: string;
  tools: readonly string[];
  messages: readonly ModelMessage[];
}

/** A step is sent what was asked, and what all steps before it have added. */
export function sentIn(
  { system, tools, input, stepsTaken }: Pick<Run, 'system' | 'tools' | 'input' | 'stepsTaken'>,
  step: number,
): SentRequest {
  const before = stepsTaken.filter((each) => each.step < step).flatMap(({ messages }) => messages);
  return { system, tools, messages: [{ role: 'user', parts: input }, ...before] };
}
