import { ZooError } from '../../../contract/errors.ts';
import type { ToolDescriptor } from '../../../contract/tool.ts';
import { asZooError, errorResult } from './error-form.ts';
import { answering, contextOf, page, type Served } from './served.ts';
import { runCall } from './tool-call.ts';

export function serveTools(served: Served): void {
  const { server, hub, log } = served;

  server.setRequestHandler('tools/list', ({ params }, ctx) =>
    answering(served, 'tools/list', async () => {
      const { items, ...rest } = page(await hub.offers.shownTools(contextOf(served, ctx)), params?.cursor);
      return { tools: items.map(toWire), ...rest };
    }),
  );

  server.setRequestHandler('tools/call', ({ params: { name, arguments: args = {} } }, ctx) =>
    runCall(served, ctx, async (call) => {
      try {
        return await hub.offers.callTool(name, args, call);
      } catch (error) {
        return errorResult(asFailure(error, name, ctx.mcpReq.signal));
      }
    }),
  );

  function asFailure(error: unknown, name: string, { aborted }: AbortSignal): ZooError {
    // Tools are supposed to stop when their call is cancelled.
    if (aborted && !(error instanceof ZooError)) return new ZooError('tool_error', 'The call was cancelled.');
    return asZooError(error, `the tool ${name}`, log);
  }
}

function toWire({ name, title, description, inputSchema, outputSchema, annotations, meta }: ToolDescriptor) {
  return {
    name,
    title,
    description,
    inputSchema: { ...inputSchema, type: 'object' as const },
    ...(outputSchema && { outputSchema: { ...outputSchema, type: 'object' as const } }),
    annotations: { title, ...annotations },
    ...(meta && { _meta: meta }),
  };
}
