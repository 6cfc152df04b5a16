import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { ZooError } from '../../contract/errors.ts';
import type { ToolCallPart, ToolResultPart } from '../../contract/run.ts';
import type { ToolDescriptor } from '../../contract/tool.ts';
import { messageOf } from '../../platform/text/error-message.ts';
import { DONE_ONCE } from '../../contract/offers/once-meta.ts';
import { nearest } from '../../contract/nearest.ts';
import type { Repeat, RunLoopOptions } from './run-parts.ts';

type Options = Pick<RunLoopOptions, 'tools' | 'journal' | 'emit' | 'gate' | 'now' | 'signal'>;

/**
 * Makes the calls of one step, side by side, and gives the model a result for each: its own mistakes included. A
 * failure that ends the run stops the other calls.
 */
export async function callTools(
  calls: readonly ToolCallPart[],
  step: number,
  options: Options,
): Promise<ToolResultPart[]> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  return Promise.all(
    calls.map(async (call) => {
      try {
        return await callTool(call, step, { ...options, signal });
      } catch (error) {
        stop.abort(error);
        throw error;
      }
    }),
  );
}

async function callTool(call: ToolCallPart, step: number, options: Options): Promise<ToolResultPart> {
  const { emit, journal, now, signal } = options;
  emit({ type: 'tool-call', step, id: call.id, name: call.name, arguments: call.input });
  const startedAt = now();
  const result = await permittedCall(call, step, options);
  signal.throwIfAborted();
  await journal.callEnded(step, result);
  const { id, name, editedArguments, content, isError } = result;
  const durationMs = now() - startedAt;
  emit({ type: 'tool-result', step, id, name, editedArguments, content, isError, durationMs });
  return result;
}

async function permittedCall(call: ToolCallPart, step: number, options: Options): Promise<ToolResultPart> {
  const { tools, signal } = options;
  const called = calledTool(call, tools);
  if (!called)
    return failed(call, "INVALID_ARGUMENTS: 'call_tool' needs the name of a tool and its arguments.");
  const { name, input, among } = called;
  const tool = among.find((each) => each.name === name || each.displayName === name);
  if (!tool) return failed(call, unknownTool(name, options));
  let args = asArguments(input);
  if (!args) return failed(call, `INVALID_ARGUMENTS: The arguments of '${name}' must be one JSON object.`);
  const approval = tools.approval(tool);
  if (approval === 'deny') return failed(call, `PERMISSION_DENIED: '${name}' is not allowed for this agent.`);
  let edited: Record<string, unknown> | undefined;
  if (approval === 'ask') {
    const answer = await tools.ask({ ...call, name: tool.name, input }, tool, step);
    if (answer.decision === 'deny') {
      const why = answer.reason ? ` Reason: ${answer.reason}` : '';
      return failed(call, `PERMISSION_DENIED: The user declined this call.${why}`);
    }
    if (!isDeepStrictEqual(answer.arguments, args)) edited = answer.arguments;
    args = edited ?? args;
  }
  await options.gate();
  signal.throwIfAborted();
  const result = await execute({ call, tool, args, step, isApproved: approval === 'ask' }, options);
  return { ...result, editedArguments: edited };
}

const CallToolInput = z.object({ name: z.string(), arguments: z.unknown().optional() });

interface CalledTool {
  name: string;
  input: unknown;
  /** The tools that this call can reach. */
  among: readonly ToolDescriptor[];
}

/**
 * The permission of the tool named in `call_tool` applies, not that of `call_tool`. So `call_tool` itself is never
 * executed, and cannot be called through itself. Null if it names no tool.
 */
function calledTool({ name, input }: ToolCallPart, tools: Options['tools']): CalledTool | null {
  const { offered, searched } = tools;
  if (name !== 'call_tool' || searched.length === 0) return { name, input, among: offered };
  const { data } = CallToolInput.safeParse(input);
  return data ? { name: data.name, input: data.arguments ?? {}, among: searched } : null;
}

interface PermittedCall {
  call: ToolCallPart;
  tool: ToolDescriptor;
  args: Record<string, unknown>;
  step: number;
  isApproved: boolean;
}

async function execute(
  { call, tool, args, step, isApproved }: PermittedCall,
  { tools, journal, emit, signal }: Options,
): Promise<ToolResultPart> {
  await journal.callStarted(step, call, repeatOf(tool));
  try {
    const result = await tools.call(tool, args, {
      signal,
      callId: call.id,
      step,
      isApproved,
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
    if (isSharedBudget(error)) throw error;
    const code = error instanceof ZooError ? error.code.toUpperCase() : 'INTERNAL';
    return failed(call, `${code}: ${messageOf(error)}`);
  }
}

/** Running out of the shared budget ends this run too; the model can only help where the limit is the depth. */
const isSharedBudget = (error: unknown): boolean =>
  error instanceof ZooError && error.code === 'budget_exceeded' && error.details?.['depth'] === undefined;

/** Only the hub's own tools honour idempotency keys; claims of other servers in `_meta` are ignored. */
function repeatOf({ annotations, origin, meta }: ToolDescriptor): Repeat {
  if (annotations.readOnlyHint || annotations.idempotentHint) return 'always';
  const isOwn = origin === 'builtin' || origin === 'published';
  return isOwn && meta?.[DONE_ONCE] === true ? 'once' : 'never';
}

function unknownTool(name: string, { tools }: Options): string {
  const withheld = tools.withheld.get(name);
  if (withheld) return `PERMISSION_DENIED: ${withheld}`;
  const names = [...tools.offered, ...tools.searched].map((tool) => tool.name);
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
