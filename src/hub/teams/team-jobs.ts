import { setTimeout as sleep } from 'node:timers/promises';
import { type CallContext, callerKey } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { RunState } from '../../contract/run.ts';
import type { Job, Jobs } from '../../runner/jobs/jobs.ts';
import { isDone, NO_PROGRESS } from '../../runner/publishing/run-progress.ts';
import { type Team, USER } from '../../teams/state/team-state.ts';
import type { TeamStore } from '../../teams/team-store.ts';
import type { Teams } from '../../teams/teams.ts';

const POLL_MS = 200;
const MOST_MESSAGES = 10_000;

export const TEAM_START = 'zoo_team_start';

const STATES: Record<Team['state'], RunState> = {
  running: 'running',
  paused: 'waiting',
  done: 'completed',
  failed: 'failed',
  stopped: 'cancelled',
};

/** Teams that a client has started, as jobs. The id of the job is that of the team. */
export interface TeamJobs extends Jobs {
  /** False for ids that do not belong to a team. */
  has(id: string): Promise<boolean>;
  /** The team by id or name. Throws for teams of other callers; the operator reaches all. */
  visible(named: string, context: CallContext): Promise<Team>;
}

export function createTeamJobs(store: TeamStore, teams: Teams): TeamJobs {
  const visible: TeamJobs['visible'] = async (named, { caller }) => {
    const team = await store.find(named);
    if (caller.kind === 'operator' || team.startedBy === callerKey(caller)) return team;
    throw new ZooError('team_not_found', `Team '${named}' not found.`, { team: named });
  };
  const status: Jobs['status'] = async (id, waitMs, context) => {
    const until = performance.now() + waitMs;
    for (;;) {
      const team = await visible(id, context);
      const job = await jobOf(store, team);
      if (isDone(job.progress) || performance.now() >= until || context.signal.aborted) return job;
      await sleep(POLL_MS);
    }
  };

  return {
    visible,
    has: (id) =>
      store.find(id).then(
        (team) => team.id === id,
        () => false,
      ),
    status,
    async result(id, context) {
      const { progress } = await status(id, 0, context);
      if (!isDone(progress)) return null;
      const text = progress.text === '' ? `The team is ${progress.state}.` : progress.text;
      return { content: [{ type: 'text', text }], isError: progress.state !== 'completed' };
    },
    async cancel(id, context) {
      const team = await visible(id, context);
      const actor = teams.actor(team.id);
      const root = [...(actor?.state().members.values() ?? [])].find(({ parent }) => parent === null);
      if (root) await actor?.dispatch({ type: 'stop', member: root.id, reason: 'its job was cancelled' });
      return status(id, 0, context);
    },
    async list(limit) {
      const newest = (await store.list()).toSorted((a, b) => b.createdAt - a.createdAt).slice(0, limit);
      return newest.map(({ id, name, state, startedBy, spent, createdAt }) => ({
        id,
        kind: 'team',
        name,
        agentId: null,
        state: STATES[state],
        caller: startedBy ?? 'operator',
        tokens: spent.tokens,
        usd: spent.usd,
        createdAt: new Date(createdAt).toISOString(),
        endedAt: null,
      }));
    },
  };
}

/** The messages of the team to the user are the text of the job. */
async function jobOf(store: TeamStore, { id, state, spent }: Team): Promise<Job> {
  const messages = await store.messages(id, 0, MOST_MESSAGES);
  const words = messages.filter(({ to }) => to === USER).map(({ text }) => text);
  return {
    call: { runId: id, tool: TEAM_START },
    progress: {
      ...NO_PROGRESS,
      state: STATES[state],
      step: spent.turns,
      usage: { ...NO_PROGRESS.usage, inputTokens: spent.tokens, usd: spent.usd },
      text: words.join('\n\n'),
      error: state === 'failed' ? { code: 'agent_error', message: words.at(-1) ?? 'The team failed.' } : null,
    },
  };
}
