import { useCallback, useMemo } from 'react';
import type { Mood } from '../creature/eyes.ts';
import { useHubQuery } from '../data/queries.ts';
import { findMood } from './find-mood.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** The same for an hour, so that all creatures share one request. */
const yesterday = (): string => new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - DAY_MS).toISOString();

/** Null until the mood is known: a creature shows no state that it may not have. */
type FindMoodOf = (agent: { id: string; updatedAt: string }) => Mood | null;

/** Tells how each agent is, by its real runs, questions and calls. The same function while these do not change. */
export function useMoods(): FindMoodOf {
  const runs = useHubQuery('listRuns', { limit: 300 }).data?.runs;
  const questions = useHubQuery('listQuestions', {}).data?.questions;
  const calls = useHubQuery('listActivity', { since: yesterday(), limit: 1000 }).data?.calls;
  const days = useMemo(() => {
    if (runs === undefined || questions === undefined || calls === undefined) return null;
    return {
      runs: byAgent(runs),
      calls: byAgent(calls),
      asking: new Set(questions.map(({ agentId }) => agentId)),
    };
  }, [runs, questions, calls]);
  return useCallback(
    ({ id, updatedAt }) =>
      days &&
      findMood({
        runs: days.runs.get(id) ?? [],
        isAsking: days.asking.has(id),
        lastAt: days.calls.get(id)?.[0]?.at ?? updatedAt,
      }),
    [days],
  );
}

function byAgent<T extends { agentId: string | null }>(items: readonly T[]): ReadonlyMap<string | null, T[]> {
  const groups = new Map<string | null, T[]>();
  for (const item of items) {
    const group = groups.get(item.agentId);
    if (group) group.push(item);
    else groups.set(item.agentId, [item]);
  }
  return groups;
}
