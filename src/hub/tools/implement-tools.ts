import type { Implements } from '../../contract/api.ts';
import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { ScriptTrace } from '../../contract/resolved.ts';
import { silentCall, type ToolCall, type ToolResult } from '../../contract/tool.ts';
import type { Questions } from '../../platform/store/questions.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import { askingCall } from './asking-call.ts';
import type { Prices } from './prices.ts';
import type { AgentScopes } from './scopes.ts';
import type { ToolCalls } from './tool-calls.ts';

interface Parts {
  directory: AgentDirectory;
  scopes: AgentScopes;
  prices: Prices;
  calls: ToolCalls;
  questions: Questions;
}

export function implementTools({ directory, scopes, prices, calls, questions }: Parts): Implements<'tools'> {
  /** The agent whose scope applies: the named one, or the caller's own. */
  function actingAgent(named: string | undefined, context: CallContext): string | null {
    if (named !== undefined) directory.refuseOtherAgent(context, named);
    return named ?? context.agent;
  }

  return {
    async listTools({ agent: named, tokens }, context) {
      await scopes.arrive(await directory.view(context.workspace));
      const tools = await scopes.toolsFor({ ...context, agent: actingAgent(named, context) });
      if (!tokens) return { tools: [...tools] };
      const costs = await prices.tools(tools);
      return { tools: tools.map((tool, index) => ({ ...tool, tokens: costs[index] })) };
    },

    async callTool({ name, agent: named, askAs, body = {} }, context) {
      const acting = { ...context, agent: actingAgent(named, context) };
      return valueOf(name, await calls.call(name, body, askingCall(acting, questions, askAs)));
    },

    async testTool({ name, agent: named, body = {} }, context) {
      const acting = { ...context, agent: actingAgent(named, context) };
      const startedAt = performance.now();
      const logs: ScriptTrace['logs'] = [];
      const call: ToolCall = {
        ...silentCall(acting),
        log: (level, message) => logs.push({ level, message, atMs: performance.now() - startedAt }),
      };
      try {
        const value = valueOf(name, await calls.call(name, body, call));
        return { value, logs, tookMs: performance.now() - startedAt };
      } catch (error) {
        if (!(error instanceof ZooError)) throw error;
        throw new ZooError(error.code, error.message, { ...error.details, logs });
      }
    },
  };
}

function valueOf(name: string, result: ToolResult): unknown {
  if (result.isError) {
    const text = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    throw new ZooError('tool_error', text || `Tool '${name}' failed.`);
  }
  return result.structuredContent ?? result.content;
}
