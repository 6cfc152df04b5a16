import * as z from 'zod';
import { AgentPatch, SkillInput } from '../../contract/agent.ts';
import type { CallContext } from '../../contract/call.ts';
import type { Tool } from '../../contract/tool.ts';
import { confirmation, defineTool } from '../define-tool.ts';

/** Functions of the hub that these tools use. Both return the agent's id, name and warnings. */
export interface AgentEditingAccess {
  create(input: z.infer<typeof Create>, context: CallContext): Promise<Edited>;
  update(id: string, patch: z.infer<typeof Update>, context: CallContext): Promise<Edited>;
}

export interface Edited {
  id: string;
  name: string;
  revision: number;
  warnings: readonly string[];
}

const { name, description, systemPrompt, tools, mode, model } = AgentPatch.shape;
const parts = { description, systemPrompt, tools, mode, model, skills: z.array(SkillInput).optional() };
const Create = z.strictObject({ ...parts, name: name.unwrap(), id: z.string().optional() });
const Update = z.strictObject({ ...parts, name, revision: z.int().min(0).optional() });

const text = { type: 'string' };
const properties = {
  name: { type: 'string', description: 'Display name.' },
  description: { type: 'string', description: 'One sentence: what the agent is for.' },
  systemPrompt: { type: 'string', description: 'The complete system prompt.' },
  tools: {
    type: ['array', 'null'],
    items: text,
    description: 'Names of the tools in its scope; [] for none, null for the read-only built-in tools.',
  },
  mode: {
    enum: ['interactive', 'autonomous', 'tools'],
    description: 'How it is used: by a person, by other systems, or through the tools that it publishes.',
  },
  model: { type: ['string', 'null'], description: 'PROVIDER/MODEL; null for the default model.' },
  skills: {
    type: 'array',
    description: 'All skills of the agent: prompt fragments that can be enabled and disabled.',
    items: {
      type: 'object',
      properties: {
        id: text,
        name: text,
        description: text,
        enabled: { type: 'boolean' },
        categoryId: text,
        requires: { type: 'array', items: text },
      },
      required: ['name'],
      additionalProperties: false,
    },
  },
};
const answers = {
  message: text,
  agentId: text,
  revision: { type: 'integer' },
  'warnings?': { type: 'array', items: text },
};

/** Creating and updating whole agents from a chat. */
export function agentEditingTools(agents: AgentEditingAccess): Tool[] {
  return [
    defineTool(
      {
        name: 'agent_zoo_create_agent',
        title: 'Create agent',
        description: 'Create an agent in the editor. Show the definition to the user before you create it.',
        properties: {
          ...properties,
          id: { type: 'string', description: 'Derived from the name if omitted.' },
        },
        required: ['name'],
        answers,
        effect: 'adds',
      },
      Create,
      async (input, { context }) => edited('created', await agents.create(input, context)),
    ),
    defineTool(
      {
        name: 'agent_zoo_update_agent',
        title: 'Update agent',
        description:
          'Change parts of an agent; omitted parts stay as they are, lists are replaced as a whole. Read it first with agent_zoo_get_agent.',
        properties: {
          ...properties,
          agentId: { type: 'string', description: 'Agent ID, as returned by agent_zoo_list_agents.' },
          revision: { type: 'integer', description: 'Refuse the change if the agent has another revision.' },
        },
        required: ['agentId'],
        answers,
        effect: 'replaces',
      },
      Update.extend({ agentId: z.string() }),
      async ({ agentId, ...patch }, { context }) =>
        edited('updated', await agents.update(agentId, patch, context)),
    ),
  ].map((tool) => ({ ...tool, edits: true }));
}

function edited(done: string, { id, name: title, revision, warnings }: Edited) {
  const notes = warnings.length === 0 ? '' : ` Warnings: ${warnings.join(' ')}`;
  return confirmation(`Agent ${title} (${id}) ${done}.${notes}`, {
    agentId: id,
    revision,
    ...(warnings.length > 0 ? { warnings: [...warnings] } : {}),
  });
}
