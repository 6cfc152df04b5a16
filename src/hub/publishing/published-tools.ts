import type { Agent, AgentSummary, PublishedTool } from '../../contract/agent.ts';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { Tool, ToolProvider } from '../../contract/tool.ts';
import { diagnose } from '../../platform/config/diagnose.ts';
import { adaptTool } from '../../runner/publishing/adapt-tool.ts';
import type { PublishedCalls } from '../../runner/publishing/published-calls.ts';
import { toolNames } from '../../tools/catalogue/tool-names.ts';
import { mayRun } from '../runner/trusted-agent.ts';
import { ownerOf } from '../tools/scopes.ts';
import type { View } from '../workspaces/view.ts';

/** The tools of one agent, under both kinds of names. */
export interface AgentTools {
  agent: Agent;
  /** `agentId.tool`, for the scopes of other agents. */
  named: readonly Tool[];
  /** Under their own names, for clients that connect to the agent itself. */
  plain: readonly Tool[];
}

export interface PublishedTools {
  provider: ToolProvider<View>;
  /** Null for an agent that is not in `tools` mode. */
  of(agentId: string, view: View): Promise<AgentTools | null>;
}

export interface PublishedToolsOptions {
  calls: PublishedCalls;
  /** Requirements of a tool that are missing. Tools of published agents do not satisfy a requirement. */
  missing(tool: PublishedTool, agent: Agent, view: View): Promise<readonly string[]>;
}

interface Known {
  agent: Agent;
  tools: AgentTools;
}

/** Tools of agents in `tools` mode. Those whose requirements are missing are left out, with a diagnostic. */
export function createPublishedTools({ calls, missing }: PublishedToolsOptions): PublishedTools {
  const known = new WeakMap<View, Map<string, Known>>();
  const lists = new WeakMap<View, readonly Tool[]>();

  async function of(id: string, view: View): Promise<AgentTools | null> {
    const found = await view.registry.find(id);
    if (found?.agent.mode !== 'tools') return null;
    const { agent } = found;
    const all = allOf(agent, view);
    const isOffered = await offered(agent, view);
    const only = (tools: readonly Tool[]) => {
      const left = tools.filter((_, index) => isOffered[index]);
      return left.length === tools.length ? tools : left;
    };
    return { agent, named: only(all.named), plain: only(all.plain) };
  }

  function allOf(agent: Agent, view: View): AgentTools {
    const agents = known.get(view) ?? new Map<string, Known>();
    known.set(view, agents);
    const before = agents.get(agent.id);
    if (before && isSame(before.agent, agent)) return before.tools;
    const adapted = (names: (tool: PublishedTool) => ReturnType<typeof toolNames>) =>
      agent.publishedTools.map((tool) => adaptTool({ agent, tool }, names(tool), calls));
    const tools = {
      agent,
      named: adapted(({ name }) => toolNames(agent.id, name)),
      plain: adapted(({ name }) => ({ name, displayName: name })),
    };
    agents.set(agent.id, { agent, tools });
    return tools;
  }

  const offered = (agent: Agent, view: View): Promise<boolean[]> =>
    Promise.all(
      agent.publishedTools.map(async (tool) => {
        if (!tool.requires || tool.requires.length === 0) return true;
        return (await missing(tool, agent, view)).length === 0;
      }),
    );

  async function publishers(view: View): Promise<AgentSummary[]> {
    const agents = await view.registry.list();
    return agents.filter((agent) => agent.mode === 'tools' && mayRun(agent, view));
  }

  async function tools(view: View): Promise<readonly Tool[]> {
    const found = await Promise.all((await publishers(view)).map(({ id }) => of(id, view)));
    const list = found.flatMap((each) => each?.named ?? []);
    const ids = new Set(found.map((each) => each?.agent.id));
    const agents = known.get(view);
    for (const id of agents?.keys() ?? []) if (!ids.has(id)) agents?.delete(id);
    const before = lists.get(view);
    if (before && before.length === list.length && before.every((tool, index) => tool === list[index])) {
      return before;
    }
    lists.set(view, list);
    return list;
  }

  return {
    of,
    provider: {
      tools,
      absence(name, view) {
        const { byId } = view.merged();
        const agent = [...byId.values()].find(({ agent: { id } }) => isToolOf(id, name))?.agent;
        if (!agent || agent.mode !== 'tools' || mayRun(agent, view)) return null;
        return `agent '${agent.id}' is from a workspace that is not approved; run 'zoo trust'`;
      },
      async diagnostics(view) {
        const agents = await view.registry.list();
        const found = await Promise.all(agents.map((agent) => diagnoseAgent(agent, view, missing)));
        return found.flat();
      },
    },
  };
}

const isToolOf = (agentId: string, name: string): boolean =>
  name.startsWith(`${agentId}.`) || name.startsWith(`${agentId}__`);

/** An editor agent is a new object after each read from the store, so its revision is compared. */
const isSame = (a: Agent, b: Agent): boolean =>
  a === b || (a.source === 'editor' && b.source === 'editor' && a.revision === b.revision);

async function diagnoseAgent(
  summary: AgentSummary,
  view: View,
  missing: PublishedToolsOptions['missing'],
): Promise<Diagnostic[]> {
  const agent = (await view.registry.find(summary.id))?.agent;
  if (!agent || agent.publishedTools.length === 0) return [];
  const place = {
    file: agent.origin?.path ?? null,
    line: agent.origin?.line ?? null,
    agentId: agent.id,
    workspace: ownerOf(agent, view),
  };
  if (agent.mode !== 'tools') {
    const message = `agent '${agent.id}' has published tools, but its mode is '${agent.mode}': they are not offered`;
    return [diagnose('note', 'not-published', message, { ...place, hint: 'Set its mode to "tools".' })];
  }
  const found = await Promise.all(
    agent.publishedTools.map(async (tool) => ({ tool, without: await missing(tool, agent, view) })),
  );
  return found
    .filter(({ without }) => without.length > 0)
    .map(({ tool, without }) => {
      const names = without.map((name) => `'${name}'`).join(', ');
      const message = `'${agent.id}.${tool.name}' is not offered: it requires ${names}`;
      const hint = "A requirement is a tool in the agent's scope or a knowledge source.";
      return diagnose('warning', 'missing-requirement', message, { ...place, hint });
    });
}
