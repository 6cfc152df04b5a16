import type { Agent, PublishedTool } from '../../contract/agent.ts';
import type { CallContext } from '../../contract/call.ts';
import { meansSource, visibleSources } from '../../knowledge/source-reference.ts';
import type { Chats } from '../../runner/chats/chats.ts';
import { createJobs } from '../../runner/jobs/jobs.ts';
import type { FitSchema } from '../../runner/publishing/call-result.ts';
import { createCallStore } from '../../runner/publishing/call-store.ts';
import { createPublishedCalls } from '../../runner/publishing/published-calls.ts';
import type { Runner } from '../../runner/runner.ts';
import { validateArguments } from '../../tools/validate-arguments.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import type { Base } from '../base/open-base.ts';
import { knowledgeScopeOf } from '../knowledge/knowledge-scope.ts';
import type { TeamJobs } from '../teams/team-jobs.ts';
import type { AgentScopes } from '../tools/scopes.ts';
import type { Wing } from '../wing.ts';
import type { View } from '../workspaces/view.ts';
import { joinJobs } from './join-jobs.ts';
import { createJobTools } from './job-tools.ts';
import { createPublishedTools } from './published-tools.ts';
import { appliedConfigs } from '../workspaces/applied-configs.ts';

export interface PublishingWingParts extends Pick<Base, 'db' | 'now'> {
  directory: AgentDirectory;
  scopes: AgentScopes;
  runner: Runner;
  chats: Chats;
  /** Jobs that are teams. */
  teamJobs: TeamJobs;
}

/** Less than a minute, the timeout of many clients. */
const INLINE_SECONDS = 45;
const LISTED_JOBS = 100;

/** Agents as tools: what they publish, and the jobs that their calls become. */
export function createPublishingWing({
  db,
  now,
  directory,
  scopes,
  runner,
  chats,
  teamJobs,
}: PublishingWingParts): Wing<'jobs'> {
  const store = createCallStore(db, now);
  const inlineMs = async ({ workspace }: CallContext) => inlineLimit(await directory.view(workspace)) * 1_000;
  const calls = createPublishedCalls({ runner, chats, store, inlineMs, fit });
  const jobs = joinJobs(createJobs({ runner, store, fit }), teamJobs);
  const published = createPublishedTools({ calls, missing });

  async function missing(tool: PublishedTool, agent: Agent, view: View): Promise<readonly string[]> {
    const { requires = [] } = tool;
    if (requires.length === 0) return [];
    const scope = await scopes.scopeWithout(published.provider, agent, view);
    const names = new Set(scope.available.flatMap(({ name, displayName }) => [name, displayName]));
    const { sources, only } = knowledgeScopeOf(view, agent);
    const visible = visibleSources({ sources, only });
    return requires.filter(
      (name) => !names.has(name) && !visible.some((source) => meansSource(name, source)),
    );
  }

  return {
    operations: {
      listJobs: async ({ limit = LISTED_JOBS }) => ({ jobs: await jobs.list(limit) }),
    },
    toolProviders: [published.provider],
    toolFront: async (agentId, view) => (await published.of(agentId, view))?.plain ?? null,
    besidePublished: createJobTools({ jobs, inlineMs }),
  };
}

/** Each call has its own schema object, so the schema is compiled once per call. */
const fit: FitSchema = (name, inputSchema, value) => validateArguments({ name, inputSchema }, value);

function inlineLimit(view: View): number {
  const configured = appliedConfigs(view).map(({ config }) => config.runner?.inline_limit);
  return configured.find((seconds) => seconds !== undefined) ?? INLINE_SECONDS;
}
