import * as z from 'zod';
import type { Agent } from '../../contract/agent.ts';
import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { ResolvedAgent } from '../../contract/resolved.ts';
import type { Tool, ToolResult } from '../../contract/tool.ts';

/** What the tools about agents need of the hub. */
export interface AgentAccess {
  list(context: CallContext): Promise<{ id: string; name: string }[]>;
  get(id: string, context: CallContext): Promise<Agent>;
  resolve(id: string, args: Record<string, unknown>, context: CallContext): Promise<ResolvedAgent>;
  withIntroduction(agent: { id: string; name: string }, system: string): string;
}

const InjectArguments = z.object({
  agentId: z.string(),
  format: z.string().optional(),
  arguments: z.record(z.string(), z.unknown()).optional(),
});

/** Seed 000's tools: reading agents, and injecting one into a chat. */
export function agentTools(agents: AgentAccess): Tool[] {
  return [
    readOnly(
      'agent_zoo_list_agents',
      'List agents',
      'Lists the agents that can be injected, with their ids and names.',
      { type: 'object', properties: {}, required: [] },
      async (_args, context) => ({
        agents: (await agents.list(context)).map(({ id, name }) => ({ id, name })),
      }),
    ),
    readOnly(
      'agent_zoo_get_agent',
      'Get agent',
      'Returns the full definition of an agent, for inspection.',
      {
        type: 'object',
        properties: { agentId: { type: 'string', description: 'Agent ID to retrieve.' } },
        required: ['agentId'],
      },
      async (args, context) => ({ ...(await agents.get(String(args.agentId), context)) }),
    ),
    {
      ...readOnly(
        'agent_zoo_inject',
        'Inject agent',
        "Returns an agent's prompt, ready to be used as the system message of this chat.",
        {
          type: 'object',
          properties: {
            agentId: { type: 'string', description: 'Agent ID to inject.' },
            format: {
              type: 'string',
              enum: ['compiled', 'structured'],
              description:
                "Output format. 'compiled' = single string prompt. 'structured' = JSON with systemPrompt + skills separate. Defaults to 'compiled'.",
            },
            arguments: { type: 'object', description: 'Values for the arguments that the agent takes.' },
          },
          required: ['agentId'],
        },
        async (args, context) => inject(agents, InjectArguments.parse(args), context),
      ),
      precheck: refuseUnknownFormat,
    },
  ];
}

function refuseUnknownFormat({ format }: Record<string, unknown>): void {
  if (format === undefined || format === 'compiled' || format === 'structured') return;
  throw new ZooError(
    'invalid_format',
    `Unknown format ${JSON.stringify(format)}; it is 'compiled' or 'structured'.`,
  );
}

async function inject(
  agents: AgentAccess,
  args: z.infer<typeof InjectArguments>,
  context: CallContext,
): Promise<Record<string, unknown>> {
  const agent = await agents.get(args.agentId, context);
  const head = { agentId: agent.id, agentName: agent.name };
  if (args.format === 'structured') {
    const skills = agent.skills.filter((skill) => skill.enabled);
    return {
      ...head,
      systemPrompt: agent.systemPrompt,
      skills: skills.map(({ id, name, description }) => ({ id, name, description })),
    };
  }
  const { system } = await agents.resolve(agent.id, args.arguments ?? {}, context);
  return { ...head, prompt: agents.withIntroduction(agent, system) };
}

function readOnly(
  name: string,
  title: string,
  description: string,
  inputSchema: Record<string, unknown>,
  answer: (args: Record<string, unknown>, context: CallContext) => Promise<Record<string, unknown>>,
): Tool {
  return {
    descriptor: {
      name,
      displayName: name,
      title,
      description,
      origin: 'builtin',
      inputSchema,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    execute: async (args, call) => asResult(await answer(args, call.context)),
  };
}

function asResult(value: Record<string, unknown>): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value, null, 2) }], structuredContent: value };
}
