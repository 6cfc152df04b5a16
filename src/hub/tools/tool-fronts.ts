import type { CallContext } from '../../contract/call.ts';
import type { Tool, ToolDescriptor } from '../../contract/tool.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import type { AnyWing, ToolFront } from '../wing.ts';

/** Tools besides published ones whose results are followed by `zoo_job_*`. */
const STARTS_JOBS = new Set(['zoo_team_start']);

/** The tools that callers of an agent see, where these differ from its scope. */
export interface ToolFronts {
  add(wing: Pick<AnyWing, 'toolFront' | 'memberTools' | 'besidePublished'>): void;
  /** The tools that callers see instead of the agent's scope; null if they see its scope. */
  frontOf(context: CallContext): Promise<readonly Tool[] | null>;
  /** Tools that are listed next to published ones, outside of every scope. */
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
