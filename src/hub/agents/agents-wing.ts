import { fixedTools } from '../tools/fixed-tools.ts';
import type { Wing } from '../wing.ts';
import { createAgentPrompts } from './agent-prompts.ts';
import { createAgentResources } from './agent-resources.ts';
import { createAgentSkills, type SkillEntry } from './agent-skills.ts';
import { createAgentTools } from './agent-tools.ts';
import { implementAgents } from './implement-agents.ts';
import { implementBrain } from './implement-brain.ts';
import { currentAgent, implementCurrent } from './implement-current.ts';
import { implementFiles } from './implement-files.ts';
import { implementParts } from './implement-parts.ts';
import { implementTemplates } from './implement-templates.ts';
import type { CallContext } from '../../contract/call.ts';
import { createResolveAgent, type ResolveAgent, type ResolveAgentParts } from './resolve-agent.ts';

type Groups = 'agents' | 'files' | 'parts' | 'brain' | 'templates' | 'current';

export interface AgentsWing extends Wing<Groups> {
  resolve: ResolveAgent;
  /** Every agent as a skill; its file is one of the resources. */
  skills(context: CallContext): Promise<SkillEntry[]>;
}

/** Agents: editing them, their memories, and what they resolve to. */
export function createAgentsWing(parts: ResolveAgentParts & { now: () => Date }): AgentsWing {
  const { db, directory, memory, programs, now } = parts;
  const resolve = createResolveAgent(parts);
  const skills = createAgentSkills(directory, resolve);
  const operations = {
    ...implementAgents({ ...parts, resolve }),
    ...implementParts(directory),
    ...implementFiles(directory),
    ...implementBrain(directory, memory),
    ...implementTemplates(directory),
    ...implementCurrent(db, directory, now),
  };
  return {
    resolve,
    skills: skills.list,
    operations,
    toolProviders: [fixedTools(createAgentTools(operations, resolve, directory))],
    offers: [
      {
        prompts: createAgentPrompts(directory, resolve),
        resources: createAgentResources(directory, memory, (context) => currentAgent(db, context)),
      },
      { resources: skills.files },
    ],
    diagnostics: (view) =>
      [...view.merged().byId.values()].flatMap(({ program }) => programs.diagnosticsOf(program)),
  };
}
