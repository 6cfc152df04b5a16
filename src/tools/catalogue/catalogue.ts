import { ZooError } from '../../contract/errors.ts';
import type { Tool, ToolCall, ToolDescriptor, ToolResult } from '../../contract/tool.ts';
import { JOB_TOOL_NAMES } from '../../contract/published/check-published-tool.ts';
import { byPrecedence, compareText, indexTools } from './tool-index.ts';
import { validateArguments } from '../validate-arguments.ts';

/** All tools by wire name. */
export interface Catalogue {
  /** Sorted by name; without `editing`, tools that edit agents are left out. */
  descriptors(options?: { editing: boolean }): readonly ToolDescriptor[];
  /** Accepts both forms of a name. */
  find(name: string): Tool | undefined;
  /** The tools that an agent publishes. */
  publishedBy(agentId: string): readonly ToolDescriptor[];
  call(tool: Tool, args: Record<string, unknown>, call: ToolCall): Promise<ToolResult>;
  /** Tools that are hidden by another one of the same name. */
  conflicts: readonly ToolConflict[];
}

export interface ToolConflict {
  loser: ToolDescriptor;
  /** Null for a reserved name. */
  winner: ToolDescriptor | null;
}

/** The names of the mechanisms, which no tool may have. */
export const RESERVED_TOOL_NAMES: ReadonlySet<string> = new Set([
  'find_tools',
  'call_tool',
  ...JOB_TOOL_NAMES,
]);

export function createCatalogue(tools: readonly Tool[]): Catalogue {
  const byName = new Map<string, Tool>();
  const conflicts: ToolConflict[] = [];
  for (const tool of tools.toSorted((a, b) => byPrecedence(a.descriptor, b.descriptor))) {
    const { name } = tool.descriptor;
    const winner = byName.get(name)?.descriptor ?? null;
    if (winner || RESERVED_TOOL_NAMES.has(name)) conflicts.push({ loser: tool.descriptor, winner });
    else byName.set(name, tool);
  }
  const sorted = [...byName.values()].toSorted((a, b) => compareText(a.descriptor.name, b.descriptor.name));
  const all = sorted.map(({ descriptor }) => descriptor);
  const withoutEditing = sorted.filter(({ edits }) => !edits).map(({ descriptor }) => descriptor);
  const published = new Map<string, ToolDescriptor[]>();
  for (const { publishedBy, descriptor } of sorted) {
    if (publishedBy === undefined) continue;
    published.set(publishedBy, [...(published.get(publishedBy) ?? []), descriptor]);
  }
  const index = indexTools(all);
  return {
    conflicts,
    descriptors: ({ editing } = { editing: true }) => (editing ? all : withoutEditing),
    find(name) {
      const found = index.find(name);
      return found && byName.get(found.name);
    },
    publishedBy: (agentId) => published.get(agentId) ?? [],
    async call(tool, args, call) {
      tool.precheck?.(args);
      return tool.execute(await validateArguments(tool.descriptor, args), call);
    },
  };
}

/** `why` is the reason if it is known; otherwise a similar name may help. */
export function toolNotFound(name: string, near: string | null, why: string | null = null): ZooError {
  const hint = near === null ? '' : ` Did you mean '${near}'?`;
  const text =
    why === null ? `Tool '${name}' not found.${hint}` : `Tool '${name}' is not available: ${sentence(why)}`;
  return new ZooError('tool_not_found', text, { name, nearest: why === null ? near : null });
}

const sentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);
