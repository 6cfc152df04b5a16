import { ZooError } from '../../contract/errors.ts';
import type { ToolCallPart, ToolResultPart } from '../../contract/run.ts';
import type { ToolDescriptor } from '../../contract/tool.ts';
import { messageOf } from '../../platform/text/error-message.ts';
import { nearest } from '../../contract/nearest.ts';
import type { RunLoopOptions } from './run-parts.ts';

type Options = Pick<RunLoopOptions, 'tools' | 'journal' | 'emit' | 'gate' | 'now' | 'signal'>;

/** Makes the calls of one step, side by side, and gives the model a result for each: its own mistakes included. */
export async function callTools(
  calls: readonly ToolCallPart[],
  step: number,
  options: Options,
): Promise<ToolResultPart[]> {
  return Promise.all(calls.map((call) => callTool(call, step, options)));
}

async function callTool(call: ToolCallPart, step: number, options: Options): Promise<ToolResultPart> {
  const { emit, journal, now, signal } = options;
  emit({ type: 'tool-call', step, id: call.id, name: call.name, arguments: call.input });
  const startedAt = now();
  const result = await permittedCall(call, step, options);
  signal.throwIfAborted();
  await journal.callEnded(step, result);
  const { id, name, content, isError } = result;
  emit({ type: 'tool-result', step, id, name, content, isError, durationMs: now() - startedAt });
  return result;
}

async function permittedCall(call: ToolCallPart, step: number, options: Options): Promise<ToolResultPart> {
  const { tools, signal } = options;
  const tool = tools.offered.find(({ name }) => name === call.name);
  if (!tool) return failed(call, unknownTool(call.name, options));
  let args = asArguments(call.input);
  if (!args)
    return failed(call, `INVALID_ARGUMENTS: The arguments of '${call.name}' must be one JSON object.`);
  const approval = tools.approval(tool);
  if (approval === 'deny')
    return failed(call, `PERMISSION_DENIED: '${call.name}' is not allowed for this agent.`);
  if (approval === 'ask') {
    const answer = await tools.ask(call, tool, step);
    if (answer.decision === 'deny') {
      const why = answer.reason ? ` Reason: ${answer.reason}` : '';
      return failed(call, `PERMISSION_DENIED: The user declined this call.${why}`);
    }
    args = answer.arguments ?? args;
  }
  await options.gate();
  signal.throwIfAborted();
  return execute(call, tool, args, step, options);
}

async function execute(
  call: ToolCallPart,
  tool: ToolDescriptor,
  args: Record<string, unknown>,
  step: number,
  { tools, journal, emit, signal }: Options,
): Promise<ToolResultPart> {
  const { readOnlyHint, idempotentHint } = tool.annotations;
  await journal.callStarted(step, call, readOnlyHint || idempotentHint);
  try {
    const result = await tools.call(tool, args, {
      signal,
      callId: call.id,
      step,
      progress: (progress) => emit({ type: 'tool-progress', step, id: call.id, ...progress }),
    });
    return {
      type: 'tool-result',
      id: call.id,
      name: call.name,
      content: result.content,
      ...(result.structuredContent ? { structuredContent: result.structuredContent } : {}),
      isError: result.isError ?? false,
    };
  } catch (error) {
    signal.throwIfAborted();
    // Running out of the shared budget ends this run too; the model cannot do anything about it.
    if (error instanceof ZooError && error.code === 'budget_exceeded') throw error;
    const code = error instanceof ZooError ? error.code.toUpperCase() : 'INTERNAL';
    return failed(call, `${code}: ${messageOf(error)}`);
  }
}

function unknownTool(name: string, { tools }: Options): string {
  const withheld = tools.withheld.get(name);
  if (withheld) return `PERMISSION_DENIED: ${withheld}`;
  const names = tools.offered.map((tool) => tool.name);
  const close = nearest(name, names);
  const have =
    names.length === 0 ? 'This agent has no tools.' : `Available: ${names.slice(0, 20).join(', ')}.`;
  return `TOOL_NOT_FOUND: '${name}' does not exist. ${have}${close ? ` Did you mean '${close}'?` : ''}`;
}

function asArguments(input: unknown): Record<string, unknown> | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null;
  return Object.fromEntries(Object.entries(input));
}

function failed(call: ToolCallPart, text: string): ToolResultPart {
  return {
    type: 'tool-result',
    id: call.id,
    name: call.name,
    content: [{ type: 'text', text }],
    isError: true,
  };
}
