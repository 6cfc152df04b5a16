import type { AgentSummary } from '../../contract/agent.ts';
import type { PromptDescriptor, PromptProvider, PromptResult } from '../../contract/offers/prompt.ts';
import type { ResolvedAgent } from '../../contract/resolved.ts';
import { agentsFor } from './agents-for.ts';
import type { AgentDirectory } from './agent-directory.ts';
import type { ResolveAgent } from './resolve-agent.ts';

/** Every agent, as a prompt under its own id. */
export function createAgentPrompts(directory: AgentDirectory, resolve: ResolveAgent): PromptProvider {
  return {
    async list(context) {
      return (await agentsFor(directory, context)).map(toPrompt);
    },

    async get(name, args, { context }) {
      const [agent] = await agentsFor(directory, context, name);
      return agent ? toResult(agent, await resolve(name, { ...args }, context)) : null;
    },

    async complete(name, argument, context) {
      const [agent] = await agentsFor(directory, context, name);
      if (!agent) return null;
      const known = agent.arguments.find((each) => each.name === argument.name)?.default;
      return known?.startsWith(argument.value) ? [known] : [];
    },
  };
}

export function describeAgent({ name, description }: Pick<AgentSummary, 'name' | 'description'>): string {
  return description.trim() === '' ? `The agent ${name}.` : description;
}

function toPrompt(agent: AgentSummary): PromptDescriptor {
  return {
    name: agent.id,
    title: agent.name,
    description: describeAgent(agent),
    arguments: agent.arguments.map(({ name, description, required }) => ({ name, description, required })),
  };
}

function toResult(agent: AgentSummary, resolved: ResolvedAgent): PromptResult {
  const system = resolved.system === '' ? [] : [{ role: 'system', content: resolved.system } as const];
  return {
    description: describeAgent(agent),
    messages: [...system, ...resolved.messages].map(({ role, content }) => ({
      role: role === 'assistant' ? 'assistant' : 'user',
      content: { type: 'text', text: content },
    })),
    _meta: {
      'agent-zoo/tools': resolved.tools,
      'agent-zoo/client-tools': resolved.clientTools,
      'agent-zoo/warnings': resolved.receipt.warnings,
      'agent-zoo/receipt': resolved.receipt,
    },
  };
}
