import type { CallContext } from '../../contract/call.ts';
import type { Tool, ToolDescriptor } from '../../contract/tool.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import type { AnyWing, ToolFront } from '../wing.ts';

/** Tools besides published ones whose results are followed by `zoo_job_*`. */
const STARTS_JOBS = new Set(['zoo_team_start']);

/** What callers see of agents that stand behind something else than their scope. */
export interface ToolFronts {
  add(wing: Pick<AnyWing, 'toolFront' | 'memberTools' | 'besidePublished'>): void;
  /** What callers see of the agent that they act as, in place of its scope; null where that is its scope. */
  frontOf(context: CallContext): Promise<readonly Tool[] | null>;
  /** Tools that stand beside published ones, outside of every scope. */
  beside(): readonly Tool[];
  /** A list with those tools, where it has published ones. */
  withBeside(tools: readonly ToolDescriptor[]): readonly ToolDescriptor[];
}

export function createToolFronts(directory: Pick<AgentDirectory, 'view'>): ToolFronts {
  const fronts: ToolFront[] = [];
  const beside: Tool[] = [];
  const ofMembers: NonNullable<AnyWing['memberTools']>[] = [];
  return {
    add({ toolFront, memberTools, besidePublished = [] }) {
      beside.push(...besidePublished);
      if (memberTools) ofMembers.push(memberTools);
      if (toolFront) fronts.push(toolFront);
    },
    async frontOf(context) {
      const { agent, run, workspace, caller } = context;
      if (caller.kind === 'member') {
        return (await Promise.all(ofMembers.map((tools) => tools(context)))).flat();
      }
      // An agent that runs has its scope, whatever others see of it.
      if (agent === null || run !== undefined) return null;
      for (const front of fronts) {
        const tools = await front(agent, await directory.view(workspace));
        if (tools) return tools;
      }
      return null;
    },
    beside: () => beside,
    withBeside(tools) {
      if (!tools.some(({ origin, name }) => origin === 'published' || STARTS_JOBS.has(name))) return tools;
      return [...tools, ...beside.map(({ descriptor }) => descriptor)];
    },
  };
}
