import type { RunState } from '../../../src/contract/run.ts';
import type { Mood } from '../creature/eyes.ts';

/** What is known of an agent's day. */
export interface AgentDay {
  /** Its runs, newest first. */
  runs: readonly { state: RunState; createdAt: string }[];
  /** Whether something of it waits for a person. */
  isAsking: boolean;
  /** When it was last used or changed. */
  lastAt: string | null;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The mood that is true: what waits for a person first, then work, then a failure, then sleep. */
export function findMood({ runs, isAsking, lastAt }: AgentDay, now: number = Date.now()): Mood {
  if (isAsking || runs.some(({ state }) => state === 'waiting')) return 'waiting';
  if (runs.some(({ state }) => state === 'running' || state === 'queued')) return 'working';
  const [last] = runs;
  if (last?.state === 'failed' || last?.state === 'interrupted') return 'unwell';
  const times = [lastAt, last?.createdAt ?? null].flatMap((at) => (at === null ? [] : [Date.parse(at)]));
  return now - Math.max(0, ...times) > DAY_MS ? 'asleep' : 'awake';
}
