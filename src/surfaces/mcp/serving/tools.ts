import { ZooError } from '../../../contract/errors.ts';
import type { ToolDescriptor, ToolResult } from '../../../contract/tool.ts';
import { asZooError, errorResult, type McpLog } from './error-form.ts';
import { answering, contextOf, page, type Served } from './served.ts';
import { type CallRequest, noteClient, requestFromSdk } from './call-request.ts';
import { OpenRound, runCall, toInputRequired } from './tool-call.ts';

/** With a round, every call ends with its questions. */
export function serveTools(served: Served, round?: OpenRound): void {
  const { server, hub } = served;

  server.setRequestHandler('tools/list', ({ params }, ctx) =>
    answering(served, 'tools/list', async () => {
      noteClient(hub, served.context, requestFromSdk(served, ctx));
      const { items, ...rest } = page(await hub.offers.shownTools(contextOf(served, ctx)), params?.cursor);
      return { tools: items.map(toWire), ...rest };
    }),
  );

  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }, ctx) => {
    const outcome = round ?? (await callTool(served, requestFromSdk(served, ctx), name, args));
    return outcome instanceof OpenRound ? toInputRequired(served, ctx, outcome) : outcome;
  });
  if (served.era === 'modern') return;
  // The SDK keeps the level to itself, and not every call goes through it.
  server.setRequestHandler('logging/setLevel', async ({ params: { level } }) => {
    served.logLevel = level;
    return {};
  });
}

/** Calls a tool. Tool failures are results; exceptions are bugs of the hub. */
export function callTool(
  { hub, log, era, context }: Pick<Served, 'hub' | 'log' | 'era' | 'context'>,
  request: CallRequest,
  name: string,
  args: Record<string, unknown>,
): Promise<ToolResult | OpenRound> {
  noteClient(hub, context, request);
  return runCall({ era, context }, request, async (call) => {
    try {
      return await hub.offers.callTool(name, args, call);
    } catch (error) {
      return errorResult(asFailure(error, name, request.signal, log));
    }
  });
}

function asFailure(error: unknown, name: string, { aborted }: AbortSignal, log: McpLog): ZooError {
  // Tools are supposed to stop when their call is cancelled.
  if (aborted && !(error instanceof ZooError)) return new ZooError('tool_error', 'The call was cancelled.');
  return asZooError(error, `the tool ${name}`, log);
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
