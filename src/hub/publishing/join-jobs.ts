import type { Jobs } from '../../runner/jobs/jobs.ts';
import type { TeamJobs } from '../teams/team-jobs.ts';

/** Both kinds of jobs behind the same tools: calls of published tools, and teams. */
export function joinJobs(calls: Jobs, teams: TeamJobs): Jobs {
  const of = async (id: string): Promise<Jobs> => ((await teams.has(id)) ? teams : calls);
  return {
    status: async (id, waitMs, context) => (await of(id)).status(id, waitMs, context),
    result: async (id, context) => (await of(id)).result(id, context),
    cancel: async (id, context) => (await of(id)).cancel(id, context),
    async list(limit) {
      const [ofCalls, ofTeams] = await Promise.all([calls.list(limit), teams.list(limit)]);
      return [...ofCalls, ...ofTeams]
        .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
        .slice(0, limit);
    },
  };
}
