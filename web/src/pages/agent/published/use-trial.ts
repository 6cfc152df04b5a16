import { useEffect, useRef, useState } from 'react';
import type { AgentPatch } from '../../../../../src/contract/agent.ts';
import type { RunEvent } from '../../../../../src/contract/run.ts';
import { call, follow } from '../../../data/hub.ts';
import { addTrialEvent, type TrialOutcome, type TrialStep } from './trial-steps.ts';

interface TrialInput {
  agent: string;
  prompt: string;
  /** Unsaved fields that the run uses. */
  definition: AgentPatch;
}

export interface Trial {
  steps: readonly TrialStep[];
  outcome: TrialOutcome | null;
  isRunning: boolean;
  error: Error | null;
  start(input: TrialInput): void;
}

interface TrialState {
  steps: readonly TrialStep[];
  outcome: TrialOutcome | null;
  isRunning: boolean;
  error: Error | null;
}

const nothing: TrialState = { steps: [], outcome: null, isRunning: false, error: null };

/** Runs the agent as it is drafted, and follows what it does. */
export function useTrial(): Trial {
  const [state, setState] = useState<TrialState>(nothing);
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const take = (event: RunEvent): void =>
    setState((now) => ({
      ...now,
      steps: addTrialEvent(now.steps, event),
      outcome:
        event.type === 'done' ? { state: event.state, text: event.text, usage: event.usage } : now.outcome,
    }));
  const work = async ({ agent, prompt, definition }: TrialInput, signal: AbortSignal): Promise<void> => {
    const { id } = await call('startRun', { body: { agent, prompt, definition } }, signal);
    for await (const { event } of follow('followRun', { id }, signal)) take(event);
  };
  return {
    ...state,
    start(input) {
      stop.current?.abort();
      const ending = new AbortController();
      stop.current = ending;
      setState({ ...nothing, isRunning: true });
      const end = (error: Error | null): void => {
        if (!ending.signal.aborted) setState((now) => ({ ...now, isRunning: false, error }));
      };
      work(input, ending.signal).then(
        () => end(null),
        (failure: unknown) => end(failure instanceof Error ? failure : new Error(String(failure))),
      );
    },
  };
}
