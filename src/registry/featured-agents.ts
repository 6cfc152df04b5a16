import type { AgentSummary } from '../contract/agent.ts';
import type { Config } from '../contract/config.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { nearest } from '../contract/nearest.ts';
import type { LoadedConfig } from '../platform/config/config.ts';
import { diagnose } from '../platform/config/diagnose.ts';

/** The agents that a workspace shows first, in this order. */
export type FeaturedAgents = ReadonlyMap<string, 'default' | 'suggested'>;

/** `default_agent` and `suggested` of the first config that has them. */
export function featuredAgents(configs: readonly Config[]): FeaturedAgents {
  const named = configs.map(({ workspace }) => workspace);
  const first = named.find((each) => each?.default_agent !== undefined)?.default_agent;
  const others = named.find((each) => each?.suggested !== undefined)?.suggested ?? [];
  const featured = new Map<string, 'default' | 'suggested'>();
  if (first !== undefined) featured.set(first, 'default');
  for (const id of others) if (!featured.has(id)) featured.set(id, 'suggested');
  return featured;
}

/** The same list, with featured agents first and marked. */
export function withFeatured(
  agents: readonly AgentSummary[],
  featured: FeaturedAgents,
): readonly AgentSummary[] {
  if (featured.size === 0) return agents;
  const byId = new Map(agents.map((agent) => [agent.id, agent]));
  const first = [...featured].flatMap(([id, kind]) => {
    const agent = byId.get(id);
    return agent ? [{ ...agent, featured: kind }] : [];
  });
  return [...first, ...agents.filter(({ id }) => !featured.has(id))];
}

/** Warnings about featured ids without an agent. */
export function diagnoseFeatured(
  { config, file, lineOf }: LoadedConfig,
  ids: readonly string[],
  workspace: string | null,
): Diagnostic[] {
  const { default_agent: first, suggested = [] } = config.workspace ?? {};
  const named = [
    ...(first === undefined ? [] : [{ id: first, path: ['workspace', 'default_agent'] }]),
    ...suggested.map((id, index) => ({ id, path: ['workspace', 'suggested', index] })),
  ];
  return named
    .filter(({ id }) => !ids.includes(id))
    .map(({ id, path }) => {
      const near = nearest(id, ids);
      return diagnose('warning', 'unknown-agent', `there is no agent '${id}' to show first`, {
        file,
        line: lineOf(path),
        hint: near === null ? 'The entry is ignored.' : `Did you mean '${near}'?`,
        workspace,
      });
    });
}
