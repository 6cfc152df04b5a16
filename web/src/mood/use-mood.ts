import type { Mood } from '../creature/eyes.ts';
import { useHubQuery } from '../data/queries.ts';
import { findMood } from './find-mood.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** The same for an hour, so that all creatures share one request. */
const yesterday = (): string => new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - DAY_MS).toISOString();

/**
 * How an agent is, by its real runs, questions and calls. Null until that is known: a creature shows no state that it
 * may not have.
 */
export function useMood({ id, updatedAt }: { id: string; updatedAt: string }): Mood | null {
  const runs = useHubQuery('listRuns', { limit: 300 }).data?.runs;
  const questions = useHubQuery('listQuestions', {}).data?.questions;
  const calls = useHubQuery('listActivity', { since: yesterday(), limit: 1000 }).data?.calls;
  if (runs === undefined || questions === undefined || calls === undefined) return null;
  const lastCall = calls.find(({ agentId }) => agentId === id)?.at ?? null;
  return findMood({
    runs: runs.filter(({ agentId }) => agentId === id),
    isAsking: questions.some(({ agentId }) => agentId === id),
    lastAt: lastCall ?? updatedAt,
  });
}
