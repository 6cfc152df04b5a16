import { ZooError } from '../../contract/errors.ts';
import {
  addUsage,
  type ModelMessage,
  NO_USAGE,
  type ToolCallPart,
  type ToolResultPart,
  type Usage,
} from '../../contract/run.ts';
import { ModelFailure, type ModelTool, THINKING_TOKENS } from '../models/model.ts';
import { callTools } from './call-tools.ts';
import { endReasonOf } from './end-reason.ts';
import { fitContext } from './fit-context.ts';
import { inWords } from './in-words.ts';
import { tokensOf } from './message-tokens.ts';
import { providerError, requestAnswer, type StepAnswer } from './request-answer.ts';
import type { RunLoopOptions, RunModel, RunOutcome, RunTools } from './run-parts.ts';
import { startWallClock } from './wall-clock.ts';

const DEFAULT_WINDOW = 128_000;
/** Part of the window that messages may fill; the rest is for counting errors. */
const FILL = 0.9;

/** The state of a run between two steps. */
interface Progress {
  messages: readonly ModelMessage[];
  step: number;
  usage: Usage;
  text: string;
  /** Whether the last answer was cut off at its limit. */
  isCut: boolean;
  /** Stores the last answer; absent once that was done. */
  store?: (() => Promise<void>) | undefined;
}

/**
 * Turns a prompt into an answer: asks the model, makes the calls it wants, and asks again, until it wants none. Every
 * failure becomes the outcome; only a bug rejects.
 */
export async function runLoop(options: RunLoopOptions): Promise<RunOutcome> {
  const { resume, emit } = options;
  const progress: Progress = {
    messages: options.history,
    step: resume?.step ?? 0,
    usage: resume?.usage ?? NO_USAGE,
    text: resume?.text ?? '',
    isCut: false,
  };
  const wall = startWallClock(options.limits.wallMs, options.now);
  const signal = AbortSignal.any([options.signal, wall.signal]);
  const ask: RunTools['ask'] = (...asked) => wall.paused(() => options.tools.ask(...asked));
  const call: RunTools['call'] = (tool, args, given) =>
    options.tools.call(tool, args, { ...given, paused: wall.paused });
  const gate = () => wall.paused(options.gate);
  const arriving = watchText(options.emit);
  try {
    await takeSteps(progress, {
      ...options,
      tools: { ...options.tools, ask, call },
      gate,
      emit: arriving.emit,
      signal,
    });
    return outcome(progress, 'completed', progress.isCut ? 'max_output_tokens' : 'answered');
  } catch (error) {
    progress.text = arriving.text() || progress.text;
    if (options.signal.aborted) return outcome(progress, 'cancelled', 'cancelled');
    const failure = wall.signal.aborted
      ? new ZooError(
          'budget_exceeded',
          `The run timed out after ${Math.round(options.limits.wallMs / 1000)} s.`,
          { reason: 'max_seconds' },
        )
      : providerError(error);
    emit({ type: 'error', code: failure.code, message: failure.message });
    return outcome(progress, 'failed', endReasonOf(failure), {
      code: failure.code,
      message: failure.message,
    });
  } finally {
    wall.stop();
  }
}

function outcome(
  { text, usage, step, store }: Progress,
  state: RunOutcome['state'],
  reason: RunOutcome['reason'],
  error: RunOutcome['error'] = null,
): RunOutcome {
  return { state, reason, text, usage, steps: step, error, ...(store ? { store } : {}) };
}

/** The text of an answer as far as it has arrived: what is kept of one that is cut off. */
function watchText(emit: RunLoopOptions['emit']): { emit: RunLoopOptions['emit']; text(): string } {
  let text = '';
  return {
    emit(event) {
      if (event.type === 'step-started' || event.type === 'retry') text = '';
      if (event.type === 'text') text += event.text;
      emit(event);
    },
    text: () => text,
  };
}

async function takeSteps(progress: Progress, options: RunLoopOptions): Promise<void> {
  const { limits, emit, journal, resume, signal } = options;
  const tools = options.tools.offered.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
  const models = openInTurn(options.models);
  const warned = new Set<string>();
  /** The model would never see the results of calls in the last step, and nobody should approve them. */
  const requireNextStep = (): void => {
    if (progress.step >= limits.maxTurns) throw tooManyTurns(limits.maxTurns);
  };
  if (resume && resume.openCalls.length + resume.results.length > 0) {
    requireNextStep();
    const results = await callTools(resume.openCalls, resume.step, options);
    progress.messages = [...progress.messages, { role: 'tool', parts: [...resume.results, ...results] }];
  }
  if (resume?.isAnswered && (await options.waitingMessages()).length === 0) return;
  for (;;) {
    signal.throwIfAborted();
    requireNextStep();
    progress.step++;
    const startedAt = options.now();
    emit({ type: 'step-started', step: progress.step });
    await joinMessages(progress, options);
    const { answer, usage, model } = await answerOfStep(progress, tools, models, options);
    progress.usage = addUsage(progress.usage, usage);
    emit({ type: 'usage', step: progress.step, usage, total: progress.usage });
    for (const message of answer.warnings.filter((each) => !warned.has(each))) {
      warned.add(message);
      emit({ type: 'warning', message });
    }
    const said: ModelMessage = { role: 'assistant', parts: answer.parts };
    const durationMs = options.now() - startedAt;
    const { step, usage: total } = progress;
    progress.store = () => journal.answered(step, model, said, { usage, total, durationMs });
    const text = answer.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
    if (text !== '') progress.text = text;
    progress.messages = [...progress.messages, said];
    if (answer.finish === 'refusal')
      throw new ZooError('provider_error', 'The model declined to answer.', { reason: 'refusal' });
    progress.isCut = answer.finish === 'length';
    if (progress.isCut) emit({ type: 'warning', message: 'The answer was cut off at max_output_tokens.' });
    const calls = answer.parts.filter((part): part is ToolCallPart => part.type === 'tool-call');
    if (calls.length === 0) {
      // A message that came while the model gave its last answer is answered in this run.
      if ((await options.waitingMessages()).length === 0) return;
      await storeAnswer(progress);
      continue;
    }
    await storeAnswer(progress);
    requireNextStep();
    const results: ToolResultPart[] = await callTools(calls, progress.step, options);
    progress.messages = [...progress.messages, { role: 'tool', parts: results }];
  }
}

/** An answer that is not the last is on disk before the run goes on. */
async function storeAnswer(progress: Progress): Promise<void> {
  const { store } = progress;
  progress.store = undefined;
  await store?.();
}

/** Messages sent in mid-run steer the next step. */
async function joinMessages(
  progress: Progress,
  { waitingMessages, journal, emit }: RunLoopOptions,
): Promise<void> {
  for (const { position, parts } of await waitingMessages()) {
    const message: ModelMessage = { role: 'user', parts };
    await journal.joined(progress.step, message, position);
    progress.messages = [...progress.messages, message];
    const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    emit({ type: 'message-joined', step: progress.step, text });
  }
}

interface ModelsInTurn {
  current(): Promise<RunModel>;
  /** Whether there is another one to go on with. */
  next(): boolean;
}

function openInTurn(models: RunLoopOptions['models']): ModelsInTurn {
  const [first] = models;
  let index = 0;
  let opened: Promise<RunModel> | null = null;
  return {
    current: () => (opened ??= (models[index] ?? first)()),
    next() {
      if (index + 1 >= models.length) return false;
      index++;
      opened = null;
      return true;
    },
  };
}

/** Falls back to the next model when one does not answer, and shortens the conversation when it is too long. */
async function answerOfStep(
  progress: Progress,
  tools: readonly ModelTool[],
  models: ModelsInTurn,
  options: RunLoopOptions,
): Promise<StepAnswer> {
  const { emit } = options;
  const { step } = progress;
  for (let squeeze = 1; ;) {
    const open = await models.current();
    try {
      await makeRoom(progress, tools, open, squeeze, options);
      return await requestAnswer(open, { step, messages: progress.messages, tools }, options);
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      if (error.kind === 'context-overflow' && squeeze > 0.25) {
        squeeze /= 2;
      } else if (models.next()) {
        const { model } = await models.current();
        const message = `${error.message} Continuing with ${model.id}.`;
        emit({ type: 'retry', step, message, afterMs: 0 });
      } else {
        throw error;
      }
    }
  }
}

async function makeRoom(
  progress: Progress,
  tools: readonly ModelTool[],
  open: RunModel,
  squeeze: number,
  options: RunLoopOptions,
): Promise<void> {
  const { system, limits, countTokens, journal, emit } = options;
  const window = open.model.facts.contextWindow ?? DEFAULT_WINDOW;
  const output = limits.maxOutputTokens + (options.effort ? THINKING_TOKENS[options.effort] : 0);
  const fixed = tokensOf({ system, messages: [], tools }, countTokens) + output;
  const room = Math.max(1_000, (window * FILL - fixed) * squeeze);
  const { messages, note } = await fitContext(progress.messages, {
    countTokens,
    room,
    summarise: (older) => summarise(older, progress, open, options),
  });
  if (note === null) return;
  progress.messages = messages;
  await journal.shortened(progress.step, messages);
  emit({ type: 'context-shortened', step: progress.step, message: note });
}

const SUMMARY_PROMPT =
  'Summarise the conversation above for yourself, so that you can go on with the task without it: the goal, what was ' +
  'decided and found out (names, numbers, paths exactly), what has been done, and what is left to do.';

async function summarise(
  older: readonly ModelMessage[],
  progress: Progress,
  open: RunModel,
  options: RunLoopOptions,
): Promise<string> {
  const ask: ModelMessage = { role: 'user', parts: [{ type: 'text', text: SUMMARY_PROMPT }] };
  const quiet = { ...options, emit: () => undefined, outputSchema: undefined };
  const { answer, usage } = await requestAnswer(
    open,
    { step: progress.step, messages: [...older.map(inWords), ask], tools: [] },
    quiet,
  );
  progress.usage = addUsage(progress.usage, usage);
  return answer.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

function tooManyTurns(limit: number): ZooError {
  return new ZooError(
    'budget_exceeded',
    `The run stopped after ${limit} steps (max_turns). Raise [runner] max_turns to allow more.`,
    {
      reason: 'max_turns',
      limit,
    },
  );
}
