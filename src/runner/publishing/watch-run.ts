import type { CallContext } from '../../contract/call.ts';
import type { Runner } from '../runner.ts';
import { advance, isDone, NO_PROGRESS, type RunProgress } from './run-progress.ts';

export interface WatchOptions {
  /** Stops watching then; the run goes on. */
  forMs: number;
  onChange?(progress: RunProgress): void;
}

/** The longest delay that a timer supports. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Follows a run until it ends, the time is up or the signal aborts, and returns its progress. Callers must have
 * checked access to the run.
 */
export async function watchRun(
  runner: Pick<Runner, 'followEvents' | 'get'>,
  runId: string,
  context: CallContext,
  { forMs, onChange }: WatchOptions,
): Promise<RunProgress> {
  const enough = new AbortController();
  const timer = setTimeout(() => enough.abort(), Math.min(forMs, LONGEST_MS));
  const signal = AbortSignal.any([context.signal, enough.signal]);
  let progress = NO_PROGRESS;
  try {
    for await (const { event } of runner.followEvents(runId, 0, signal)) {
      const next = advance(progress, event);
      if (next === progress) continue;
      progress = next;
      if (isDone(progress)) return progress;
      onChange?.(progress);
    }
  } finally {
    clearTimeout(timer);
  }
  if (context.signal.aborted) return progress;
  // It ended without a `done` event, as an interrupted run does, or has more events than could be read in time.
  const { state, steps, usage, text, error, endReason } = await runner.get(runId, {
    ...context,
    caller: { kind: 'operator' },
  });
  if (enough.signal.aborted && !isDone({ state })) return progress;
  return { ...progress, state, step: steps, usage, text, error, reason: endReason };
}
