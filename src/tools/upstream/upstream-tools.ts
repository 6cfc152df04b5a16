import * as z from 'zod';
import type { Tool, ToolDescriptor, ToolResult } from '../../contract/tool.ts';
import { toolNames } from '../catalogue/tool-names.ts';
import type { ToolChange, ToolChanges } from './accepted-tools.ts';
import type { ServerTool } from './connection/link.ts';
import type { Known } from './pool/list-store.ts';
import type { Upstream } from './upstream.ts';
import type { Upstreams } from './upstreams.ts';

/** Without annotations, the worst is assumed. */
const CAUTIOUS = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };

// Results pass through unchanged: the SDK has validated them, and unknown fields are for the caller.
const Passed = z.custom<ToolResult>((value) => typeof value === 'object' && value !== null);

/** The tools of a server under our names. Returns the same array while the list is unchanged. */
export function createToolMaker(
  upstreams: Pick<Upstreams, 'request'>,
  onUsed: (upstream: Upstream, lists: Known['lists'], tool: string) => Promise<void>,
) {
  const made = new WeakMap<
    Upstream,
    { from: Known['lists']; changes: ToolChanges; tools: readonly Tool[] }
  >();
  return (upstream: Upstream, { lists }: Known, changes: ToolChanges): readonly Tool[] => {
    const known = made.get(upstream);
    if (known?.from === lists && known.changes === changes) return known.tools;
    const tools = lists.tools
      .filter(({ name }) => !upstream.pin || !changes.has(name))
      .map((tool) => {
        const made = toTool(upstream, tool, upstreams);
        const change = changes.get(tool.name);
        return change ? marked(made, change, () => onUsed(upstream, lists, tool.name)) : made;
      });
    made.set(upstream, { from: lists, changes, tools });
    return tools;
  };
}

function toTool(upstream: Upstream, tool: ServerTool, upstreams: Pick<Upstreams, 'request'>): Tool {
  const { name, inputSchema } = tool;
  return {
    descriptor: toDescriptor(upstream.name, tool),
    execute: async (args, call) =>
      Passed.parse(
        await upstreams.request(upstream, { method: 'tools/call', name, args, inputSchema }, call),
      ),
  };
}

/**
 * A changed tool, until it is used. A server that calls it harmless now does not change that its calls need approval.
 */
function marked({ descriptor, execute }: Tool, { before }: ToolChange, onUsed: () => Promise<void>): Tool {
  const { readOnlyHint, idempotentHint } = hintsIn(before);
  const now = descriptor.annotations;
  const annotations = {
    ...now,
    ...(now.readOnlyHint && !readOnlyHint ? CAUTIOUS : {}),
    idempotentHint: now.idempotentHint && idempotentHint,
  };
  return {
    descriptor: { ...descriptor, annotations, changed: true },
    async execute(args, call) {
      // Both at once: the mark is cleared before the result is returned.
      const [result] = await Promise.all([execute(args, call), onUsed()]);
      return result;
    },
  };
}

const Hinted = z.looseObject({
  annotations: z
    .looseObject({ readOnlyHint: z.boolean().optional(), idempotentHint: z.boolean().optional() })
    .optional(),
});

/** Of a definition that was accepted, as it is stored. */
function hintsIn(definition: string | null): { readOnlyHint: boolean; idempotentHint: boolean } {
  const { annotations = {} } = definition === null ? {} : Hinted.parse(JSON.parse(definition));
  return {
    readOnlyHint: annotations.readOnlyHint ?? false,
    idempotentHint: annotations.idempotentHint ?? false,
  };
}

export function toDescriptor(server: string, tool: ServerTool): ToolDescriptor {
  const { name, title, description = '', inputSchema, outputSchema, annotations = {}, _meta } = tool;
  const { readOnlyHint = CAUTIOUS.readOnlyHint } = annotations;
  return {
    ...toolNames(server, name),
    title: title ?? annotations.title ?? name,
    description,
    origin: 'upstream',
    inputSchema,
    ...(outputSchema && { outputSchema }),
    annotations: {
      readOnlyHint,
      destructiveHint: annotations.destructiveHint ?? (readOnlyHint ? false : CAUTIOUS.destructiveHint),
      idempotentHint: annotations.idempotentHint ?? CAUTIOUS.idempotentHint,
      openWorldHint: annotations.openWorldHint ?? CAUTIOUS.openWorldHint,
    },
    ...(annotations.readOnlyHint === undefined &&
      annotations.destructiveHint === undefined && { undeclared: true }),
    ...(_meta && { meta: _meta }),
  };
}
