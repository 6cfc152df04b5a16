import type { ModelMessage, Usage } from '../../contract/run.ts';
import { ZooError } from '../../contract/errors.ts';
import { type ModelAnswer, ModelFailure, type ModelTool, THINKING_TOKENS } from '../models/model.ts';
import { tokensOf } from './message-tokens.ts';
import type { RunLoopOptions, RunModel } from './run-parts.ts';

const ATTEMPTS = 5;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

export interface StepAnswer {
  answer: ModelAnswer;
  usage: Usage;
  model: string;
}

type Options = Pick<
  RunLoopOptions,
  | 'system'
  | 'limits'
  | 'temperature'
  | 'effort'
  | 'outputSchema'
  | 'reserve'
  | 'gate'
  | 'emit'
  | 'countTokens'
  | 'sleep'
  | 'signal'
>;

export interface StepRequest {
  step: number;
  messages: readonly ModelMessage[];
  tools: readonly ModelTool[];
}

/**
 * One answer of a model. Rate limits, overload and broken streams are retried with backoff: only the model was called
 * since the last complete step, so a retry has no side effects. Every attempt reserves its own budget.
 */
export async function requestAnswer(
  open: RunModel,
  request: StepRequest,
  options: Options,
): Promise<StepAnswer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptAnswer(open, request, options);
    } catch (error) {
      if (!(error instanceof ModelFailure) || !error.canRetry || attempt === ATTEMPTS) throw error;
      const afterMs = error.retryAfterMs ?? Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
      // A retry-after of hours counts as unavailable.
      if (afterMs > LONGEST_WAIT_MS) throw error;
      options.emit({ type: 'retry', step: request.step, message: error.message, afterMs });
      await options.sleep(afterMs, options.signal);
    }
  }
}

async function attemptAnswer(
  { model, price }: RunModel,
  { step, messages, tools }: StepRequest,
  options: Options,
): Promise<StepAnswer> {
  const { system, limits, temperature, effort, outputSchema, signal, emit, countTokens } = options;
  const inputTokens = tokensOf({ system, messages, tools }, countTokens);
  const outputTokens = limits.maxOutputTokens + (effort ? THINKING_TOKENS[effort] : 0);
  const costOf = (usage: Omit<Usage, 'usd'>, usd = price(usage)) => ({
    tokens: usage.inputTokens + usage.outputTokens,
    usd: usd ?? 0,
  });
  await options.gate();
  const reservation = await options.reserve(costOf({ ...nothing, inputTokens, outputTokens }));
  let arrived = '';
  try {
    const answer = await model.answer(
      {
        system,
        messages,
        tools,
        maxOutputTokens: limits.maxOutputTokens,
        temperature,
        effort,
        outputSchema,
        signal,
      },
      (delta) => {
        if (delta.type === 'tool-call') return;
        arrived += delta.text;
        if (delta.type !== 'tool-input') emit({ ...delta, step });
      },
    );
    const usd = price(answer.usage);
    reservation.settle(costOf(answer.usage, usd));
    return { answer, usage: { ...answer.usage, usd }, model: model.id };
  } catch (error) {
    // Providers charge for an answer that was cut off or cancelled, but do not say what; a refused request is free.
    const isFree = arrived === '';
    reservation.settle(
      isFree
        ? { tokens: 0, usd: 0 }
        : costOf({ ...nothing, inputTokens, outputTokens: countTokens(arrived) }),
    );
    throw error;
  }
}

const nothing = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };

/** The error message if no model answered. */
export function providerError(error: unknown): ZooError {
  if (error instanceof ZooError) return error;
  if (error instanceof ModelFailure)
    return new ZooError('provider_error', error.message, { kind: error.kind });
  throw error;
}
