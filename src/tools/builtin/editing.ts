import * as z from 'zod';
import type { CallContext } from '../../contract/call.ts';
import type { Tool } from '../../contract/tool.ts';
import { confirmation, defineTool } from '../define-tool.ts';

/** Functions of the hub that the editing tools use. */
export interface EditingAccess {
  /** Returns the agent's name. */
  setCurrent(id: string, context: CallContext): Promise<string>;
  setSystemPrompt(id: string, systemPrompt: string, context: CallContext): Promise<string>;
  /** Returns the skill's name. */
  setSkillEnabled(id: string, skillId: string, enabled: boolean, context: CallContext): Promise<string>;
}

const text = { type: 'string' };
const agentId = { type: 'string', description: 'Agent ID, as returned by agent_zoo_list_agents.' };
const ById = z.object({ agentId: z.string() });

/** Seed 001's tools: editing agents from a chat. */
export function editingTools(agents: EditingAccess): Tool[] {
  const tools = [
    defineTool(
      {
        name: 'agent_zoo_set_current',
        title: 'Set current agent',
        description:
          'Set the current active agent of this workspace, available as agent-zoo://agents/current. It does not change any agent.',
        properties: { agentId },
        required: ['agentId'],
        answers: { message: text, agentId: text },
        effect: 'sets',
      },
      ById,
      async (args, { context }) => {
        const name = await agents.setCurrent(args.agentId, context);
        return confirmation(`Current agent set to ${name} (${args.agentId}).`, { agentId: args.agentId });
      },
    ),
    defineTool(
      {
        name: 'agent_zoo_update_personality',
        title: 'Update personality',
        description:
          "Update an agent's system prompt/personality. Replaces the whole text and keeps the skills. Read it first with agent_zoo_get_agent. The change can be undone in the editor's history.",
        properties: {
          agentId,
          personality: { type: 'string', description: 'The complete new system prompt.' },
        },
        required: ['agentId', 'personality'],
        answers: { message: text, agentId: text },
        effect: 'replaces',
      },
      ById.extend({ personality: z.string().max(500_000) }),
      async (args, { context }) => {
        const name = await agents.setSystemPrompt(args.agentId, args.personality, context);
        return confirmation(`Personality of ${name} (${args.agentId}) updated.`, { agentId: args.agentId });
      },
    ),
    defineTool(
      {
        name: 'agent_zoo_toggle_skill',
        title: 'Toggle skill',
        description:
          'Enable or disable a skill of an agent. agent_zoo_get_agent returns the ids of its skills.',
        properties: {
          agentId,
          skillId: { type: 'string', description: 'ID of the skill, as returned by agent_zoo_get_agent.' },
          enabled: { type: 'boolean', description: 'true to enable the skill, false to disable it.' },
        },
        required: ['agentId', 'skillId', 'enabled'],
        answers: { message: text, agentId: text, skillId: text, enabled: { type: 'boolean' } },
        effect: 'sets',
      },
      ById.extend({ skillId: z.string(), enabled: z.boolean() }),
      async ({ agentId: id, skillId, enabled }, { context }) => {
        const name = await agents.setSkillEnabled(id, skillId, enabled, context);
        const done = enabled ? 'enabled' : 'disabled';
        return confirmation(`Skill ${name} (${skillId}) ${done} for agent ${id}.`, {
          agentId: id,
          skillId,
          enabled,
        });
      },
    ),
  ];
  return tools.map((tool) => ({ ...tool, edits: true }));
}
