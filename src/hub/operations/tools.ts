import type { Implementation } from '../../contract/api.ts';
import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { toolOperations } from '../../contract/operations/tools.ts';
import type { ToolCall, ToolResult } from '../../contract/tool.ts';
import type { Rooms } from '../rooms.ts';

type ToolOperations = Pick<Implementation, keyof typeof toolOperations>;

export function implementTools(rooms: Rooms): ToolOperations {
  /** The agent whose scope applies: the one that was named, or the one the caller is. */
  function actingAgent(named: string | undefined, context: CallContext): string | null {
    if (named !== undefined) rooms.refuseOtherAgent(context, named);
    return named ?? context.agent;
  }

  return {
    async listTools({ agent: named }, context) {
      const agent = actingAgent(named, context);
      if (agent === null) return { tools: [...rooms.catalogue.descriptors()] };
      return { tools: (await rooms.scopeOf(agent, context)).available };
    },

    async callTool({ name, agent: named, body = {} }, context) {
      const agent = actingAgent(named, context);
      const tool = rooms.catalogue.find(name);
      if (agent !== null) {
        const scope = await rooms.scopeOf(agent, context);
        if (!scope.available.some((descriptor) => descriptor === tool?.descriptor)) {
          throw new ZooError('out_of_scope', `Agent '${agent}' may not call '${name}'.`, {
            inScope: scope.available.map((descriptor) => descriptor.name),
          });
        }
      }
      const result = await rooms.catalogue.call(name, body, toolCall({ ...context, agent }));
      return valueOf(name, result);
    },
  };
}

/** Over plain HTTP nobody can be asked, and nobody watches progress. */
function toolCall(context: CallContext): ToolCall {
  return { context, progress: () => undefined, elicit: async () => null, log: () => undefined };
}

function valueOf(name: string, result: ToolResult): unknown {
  if (result.isError) {
    const text = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    throw new ZooError('tool_error', text || `Tool '${name}' failed.`);
  }
  return result.structuredContent ?? result.content;
}
