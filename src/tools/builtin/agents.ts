import * as z from 'zod';
import type { Agent } from '../../contract/agent.ts';
import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { PromptMessage, ResolvedAgent } from '../../contract/resolved.ts';
import type { Tool, ToolResult } from '../../contract/tool.ts';
import { defineTool, jsonResult } from '../define-tool.ts';

/** Functions of the hub that the agent tools use. */
export interface AgentAccess {
  list(context: CallContext): Promise<{ id: string; name: string }[]>;
  get(id: string, context: CallContext): Promise<Agent>;
  resolve(id: string, args: Record<string, unknown>, context: CallContext): Promise<InjectedAgent>;
  /** One text: the introduction, the system prompt and the opening messages. */
  compile(agent: { id: string; name: string }, system: string, messages: readonly PromptMessage[]): string;
}

interface InjectedAgent extends ResolvedAgent {
  /** The system prompt as its parts. */
  prompt: {
    systemPrompt: string;
    skills: { id: string; name: string; description: string }[];
    context: string[];
    memory: string[];
  };
}

const text = { type: 'string' };
const ById = z.object({ agentId: z.string() });
const InjectArguments = ById.extend({
  format: z.string().optional(),
  arguments: z.record(z.string(), z.unknown()).optional(),
});

/** Seed 000's tools: reading agents, and injecting one into a chat. */
export function agentTools(agents: AgentAccess): Tool[] {
  return [
    defineTool(
      {
        name: 'agent_zoo_list_agents',
        title: 'List agents',
        description:
          'Lists the available agents with ids and names. Call it first when the user asks for an agent by name.',
        properties: {},
        required: [],
        answers: {
          agents: {
            type: 'array',
            items: { type: 'object', properties: { id: text, name: text }, required: ['id', 'name'] },
          },
        },
        effect: 'reads',
      },
      z.object({}),
      async (_args, { context }) =>
        jsonResult({ agents: (await agents.list(context)).map(({ id, name }) => ({ id, name })) }),
    ),
    defineTool(
      {
        name: 'agent_zoo_get_agent',
        title: 'Get agent',
        description:
          'Returns the full definition of an agent for inspection: persona, skills, arguments, scope. To adopt an agent, use agent_zoo_inject.',
        properties: { agentId: { type: 'string', description: 'Agent ID to retrieve.' } },
        required: ['agentId'],
        answers: {
          id: text,
          name: text,
          description: text,
          systemPrompt: text,
          skills: { type: 'array', items: { type: 'object' } },
          arguments: { type: 'array', items: { type: 'object' } },
          source: text,
          revision: { type: 'integer' },
        },
        effect: 'reads',
      },
      ById,
      async ({ agentId }, { context }) => jsonResult({ ...(await agents.get(agentId, context)) }),
    ),
    { ...injectTool(agents), precheck: refuseUnknownFormat },
  ];
}

function injectTool(agents: AgentAccess): Tool {
  return defineTool(
    {
      name: 'agent_zoo_inject',
      title: 'Inject agent',
      description:
        "Returns an agent's compiled prompt. Follow it from then on as your own instructions in this chat; the user chose it.",
      properties: {
        agentId: { type: 'string', description: 'Agent ID to inject.' },
        format: {
          type: 'string',
          enum: ['compiled', 'structured'],
          description:
            "Output format. 'compiled' = single string prompt. 'structured' = JSON with systemPrompt + skills separate. Defaults to 'compiled'.",
        },
        arguments: { type: 'object', description: 'Values for the arguments of the agent.' },
      },
      required: ['agentId'],
      answers: {
        agentId: text,
        agentName: text,
        'prompt?': text,
        'systemPrompt?': text,
        'skills?': {
          type: 'array',
          items: {
            type: 'object',
            properties: { id: text, name: text, description: text },
            required: ['id', 'name', 'description'],
          },
        },
        'context?': { type: 'array', items: text },
        'memory?': { type: 'array', items: text },
        'messages?': {
          type: 'array',
          items: { type: 'object', properties: { role: text, content: text }, required: ['role', 'content'] },
        },
        'warnings?': { type: 'array', items: text },
      },
      // An agent that is computed by a script or module may reach the network.
      effect: 'fetches',
    },
    InjectArguments,
    (args, { context }) => inject(agents, args, context),
  );
}

function refuseUnknownFormat({ format }: Record<string, unknown>): void {
  if (format === undefined || format === 'compiled' || format === 'structured') return;
  throw new ZooError(
    'invalid_format',
    `Unknown format ${JSON.stringify(format)}. Available formats: compiled, structured.`,
  );
}

/** Seed 000 names `systemPrompt` and `skills`; the other parts appear only where an agent has them. */
const withoutEmpty = (parts: Record<string, unknown>, optional: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(parts).filter(
      ([name, value]) => !(optional.includes(name) && Array.isArray(value) && value.length === 0),
    ),
  );

async function inject(
  agents: AgentAccess,
  args: z.infer<typeof InjectArguments>,
  context: CallContext,
): Promise<ToolResult> {
  const agent = await agents.get(args.agentId, context);
  const head = { agentId: agent.id, agentName: agent.name };
  const { system, messages, tools, clientTools, prompt, receipt } = await agents.resolve(
    agent.id,
    args.arguments ?? {},
    context,
  );
  const form =
    args.format === 'structured'
      ? withoutEmpty({ ...prompt, messages }, ['context', 'memory', 'messages'])
      : { prompt: agents.compile(agent, system, messages) };
  const warnings = receipt.warnings.length > 0 ? { warnings: receipt.warnings } : {};
  return {
    ...jsonResult({ ...head, ...form, ...warnings }),
    _meta: { 'agent-zoo/tools': tools, 'agent-zoo/client-tools': clientTools },
  };
}
