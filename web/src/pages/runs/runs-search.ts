import type { RunState } from '../../../../src/contract/run.ts';
import { textsIn } from '../../app/address.ts';
import { runStates } from './run-words.ts';

/** What the address of the list of runs says. */
export interface RunsSearch {
  /** Absent for runs. */
  show?: 'jobs' | undefined;
  agent?: string | undefined;
  state?: RunState | undefined;
}

const isState = (value: unknown): value is RunState => typeof value === 'string' && value in runStates;

export function readRunsSearch(search: Record<string, unknown>): RunsSearch {
  return {
    ...(search['show'] === 'jobs' ? { show: 'jobs' } : {}),
    ...textsIn(search, ['agent']),
    ...(isState(search['state']) ? { state: search['state'] } : {}),
  };
}
