import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { TeamDetails, TeamTimelineEntry } from '../../../../src/contract/team.ts';
import { call } from '../../data/hub.ts';
import { useWorkspaceId } from '../../data/workspace.ts';
import { playTimeline, type TeamMoment } from './play-timeline.ts';

const PAGE = 1000;

/** Everything that has happened in a team, in order. Read once: it is only asked for after the team has ended. */
export function useTimeline(id: string, enabled: boolean): readonly TeamTimelineEntry[] | undefined {
  const workspace = useWorkspaceId();
  const { data } = useQuery({
    queryKey: ['getTeamTimeline', workspace, { id }],
    enabled,
    queryFn: async ({ signal }) => {
      const entries: TeamTimelineEntry[] = [];
      for (let after = 0; ;) {
        const page = await call('getTeamTimeline', { id, after, limit: PAGE }, signal);
        entries.push(...page.entries);
        if (page.entries.length < PAGE) return entries;
        after = page.next;
      }
    },
  });
  return data;
}

/** A team that has ended, as it was after the first entries of its timeline. */
export function useMoment(
  team: TeamDetails,
  timeline: readonly TeamTimelineEntry[],
  position: number,
): TeamMoment {
  return useMemo(() => playTimeline(team.members, timeline.slice(0, position)), [team, timeline, position]);
}
