import { isDeepStrictEqual } from 'node:util';
import type { ModelMessage, ToolCallPart, ToolResultPart, Usage } from '../../contract/run.ts';
import { addUsage, NO_USAGE } from '../../contract/run.ts';
import { messagesOf, type StoredStep } from './run-rows.ts';

/** The point where an interrupted run can resume. */
export interface ResumePlan {
  /** Replaces everything before `messages` if the history was summarised. */
  shortened: readonly ModelMessage[] | null;
  /** Messages of the steps that are complete, and of the last one as far as it got. */
  messages: ModelMessage[];
  /** Messages of the user that came after those, and that no answer takes into account yet. */
  joined: ModelMessage[];
  step: number;
  usage: Usage;
  text: string;
  /** Calls that were never started, or may be made again. */
  openCalls: ToolCallPart[];
  results: ToolResultPart[];
  /** Calls that may have taken effect and must not be repeated. Only a person can resume the run. */
  doubtful: ToolCallPart[];
  /** The model has given its last answer; only messages that came since are left to answer. */
  isAnswered: boolean;
}

/** The history before a step, after it was shortened. */
export interface ShortenedHistory {
  step: number;
  messages: readonly ModelMessage[];
}

/** Pure: computes the remaining work from the journal. */
export function planResume(
  steps: readonly StoredStep[],
  shortened: ShortenedHistory | null = null,
): ResumePlan {
  const answered = steps.filter(({ answer }) => answer !== null);
  const last = answered.at(-1);
  const calls = callsOf(last);
  const done = new Set(last?.results.map(({ id }) => id));
  const missing = calls.filter(({ id }) => !done.has(id));
  const started = new Map(last?.open.map(({ id, repeatable }) => [id, repeatable]));
  const isDoubtful = ({ id }: ToolCallPart) => started.get(id) === false;
  const isOpen = missing.length > 0;
  const since = answered.filter(({ step }) => shortened === null || step >= shortened.step);
  // Messages that joined a step are part of the history that was shortened in it.
  const isNew = (message: ModelMessage) =>
    !shortened?.messages.some((known) => isDeepStrictEqual(known, message));
  const unanswered = steps.filter(({ step }) => step > (last?.step ?? 0)).flatMap((each) => each.joined);
  return {
    shortened: shortened?.messages ?? null,
    // The results of an open step are completed first, so they are not part of the history yet.
    messages: since.flatMap((each) => {
      const joined = each.step === shortened?.step ? each.joined.filter(isNew) : each.joined;
      const results = each === last && isOpen ? [] : each.results;
      return messagesOf({ ...each, joined, results });
    }),
    joined: unanswered.filter(isNew),
    step: last?.step ?? 0,
    usage: answered.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
    text: textOf(answered),
    openCalls: missing.filter((call) => !isDoubtful(call)),
    results: isOpen ? (last?.results ?? []) : [],
    doubtful: missing.filter(isDoubtful),
    isAnswered: last !== undefined && calls.length === 0 && unanswered.length === 0,
  };
}

function callsOf(step: StoredStep | undefined): ToolCallPart[] {
  return step?.answer?.parts.filter((part): part is ToolCallPart => part.type === 'tool-call') ?? [];
}

function textOf(steps: readonly StoredStep[]): string {
  const texts = steps.map(({ answer }) =>
    (answer?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
  );
  return texts.findLast((text) => text !== '') ?? '';
}
