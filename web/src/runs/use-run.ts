import { useEffect, useRef, useState } from 'react';
import type { Input } from '../../../src/contract/api.ts';
import type { RunEvent } from '../../../src/contract/run.ts';
import { call, follow } from '../data/hub.ts';
import { perFrame } from './per-frame.ts';
import { addRunEvent, NEW_RUN, type RunView } from './run-view.ts';

export interface FollowedRun {
  id: string | null;
  /** Null before the first start. */
  run: RunView | null;
  /** From the start to the end, or until now. */
  durationMs: number | null;
  error: Error | null;
  start(body: Input<'startRun'>['body']): void;
  cancel(): void;
}

interface State {
  id: string | null;
  run: RunView | null;
  durationMs: number | null;
  error: Error | null;
}

const nothing: State = { id: null, run: null, durationMs: null, error: null };

/** Starts a run and follows it for as long as the component is there. */
export function useRun(): FollowedRun {
  const [state, setState] = useState<State>(nothing);
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const work = async (body: Input<'startRun'>['body'], signal: AbortSignal): Promise<void> => {
    const began = performance.now();
    const { id } = await call('startRun', { body }, signal);
    setState((now) => ({ ...now, id }));
    const take = perFrame<RunEvent>((events) => {
      if (signal.aborted) return;
      const durationMs = performance.now() - began;
      setState((now) => ({ ...now, run: events.reduce(addRunEvent, now.run ?? NEW_RUN), durationMs }));
    });
    for await (const { event } of follow('followRun', { id }, signal)) take(event);
  };
  return {
    ...state,
    start(body) {
      stop.current?.abort();
      const ending = new AbortController();
      stop.current = ending;
      setState({ ...nothing, run: NEW_RUN });
      work(body, ending.signal).catch((failure: unknown) => {
        if (ending.signal.aborted) return;
        const error = failure instanceof Error ? failure : new Error(String(failure));
        setState((now) => ({ ...now, error, run: now.run && { ...now.run, state: 'failed' } }));
      });
    },
    cancel() {
      if (state.id !== null) void call('cancelRun', { id: state.id });
    },
  };
}
