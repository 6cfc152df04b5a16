import type { AgentInfo, AgentSummary } from '../../contract/agent.ts';
import type { Implementation } from '../../contract/api.ts';
import { createAgentFilter } from '../../registry/agent-filter.ts';
import { whyMissing } from '../../registry/missing-agents.ts';
import type { Prices } from '../tools/prices.ts';
import type { AgentScopes } from '../tools/scopes.ts';
import type { AgentDirectory } from './agent-directory.ts';
import type { View } from '../workspaces/view.ts';

interface Parts {
  directory: AgentDirectory;
  scopes: AgentScopes;
  prices: Prices;
}

/** The two lists of agents: the one of seed 002, and the one that can be searched. */
export function listAgents({
  directory,
  scopes,
  prices,
}: Parts): Pick<Implementation, 'listAgentInfo' | 'listAgents'> {
  const { store } = directory;
  const filterAgents = createAgentFilter();

  /** Agents that may call a tool, by either of its names; by the text of their lists if there is no such tool. */
  async function offering(
    agents: readonly AgentSummary[],
    name: string | undefined,
    view: View,
  ): Promise<readonly AgentSummary[]> {
    if (name === undefined) return agents;
    const catalogue = await scopes.catalogueOf(view);
    const tool = catalogue.find(name)?.descriptor;
    if (!tool) return agents.filter((agent) => agent.tools?.includes(name));
    return agents.filter((agent) => scopes.scopeFor(agent, view, catalogue).includes(tool));
  }

  return {
    async listAgentInfo(_input, context) {
      const view = await directory.view(context.workspace);
      const [agents, catalogue] = await Promise.all([view.registry.list(), scopes.catalogueOf(view)]);
      return {
        agents: agents.map((agent) => infoOf(agent, scopes.grantedTools(agent, view, catalogue).tools)),
      };
    },

    async listAgents({ limit, offset = 0, deleted, tokens, missing, tool, ...filter }, context) {
      const view = await directory.view(context.workspace);
      if (missing) await Promise.all(view.layers.map((layer) => layer.reload()));
      const all = deleted ? await store.list({ deleted: true }) : await view.registry.list();
      const found = await offering(filterAgents(all, filter), tool, view);
      const end = limit === undefined ? undefined : offset + limit;
      const page = found.slice(offset, end);
      const costs = tokens && !deleted ? await prices.agents(page, view) : null;
      const agents = costs ? page.map((agent, index) => withTokens(agent, costs[index])) : page;
      const total = found.length;
      if (!missing) return { agents, total };
      const ids = new Set(all.map(({ id }) => id));
      return { agents, total, missing: whyMissing(await view.diagnostics(), ids) };
    },
  };
}

/** An agent that is not approved has no definition yet whose tokens could be counted. */
const withTokens = (agent: AgentSummary, tokens: AgentSummary['tokens']): AgentSummary =>
  agent.trusted ? { ...agent, tokens } : agent;

function infoOf(
  { id, name, description, source, arguments: args }: AgentSummary,
  tools: string[],
): AgentInfo {
  return { name: id, title: name, description, tools, source, arguments: args };
}
