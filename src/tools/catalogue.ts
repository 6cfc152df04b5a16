import { ZooError } from '../contract/errors.ts';
import type { Tool, ToolCall, ToolDescriptor, ToolResult } from '../contract/tool.ts';
import { validateArguments } from './validate-arguments.ts';

/** Every tool there is, by wire name, with one way to call it. */
export interface Catalogue {
  /** In order of name; without `editing`, those that edit agents are left out. */
  descriptors(options?: { editing: boolean }): readonly ToolDescriptor[];
  find(name: string): Tool | undefined;
  call(name: string, args: Record<string, unknown>, call: ToolCall): Promise<ToolResult>;
}

export function createCatalogue(tools: readonly Tool[]): Catalogue {
  const sorted = tools.toSorted((a, b) => (a.descriptor.name < b.descriptor.name ? -1 : 1));
  const all = sorted.map(({ descriptor }) => descriptor);
  const withoutEditing = sorted.filter(({ edits }) => !edits).map(({ descriptor }) => descriptor);
  const find = (name: string) =>
    sorted.find(({ descriptor }) => descriptor.name === name || descriptor.displayName === name);
  return {
    descriptors: ({ editing } = { editing: true }) => (editing ? all : withoutEditing),
    find,
    async call(name, args, call) {
      const tool = find(name);
      if (!tool) throw new ZooError('tool_not_found', `There is no tool '${name}'.`, { name });
      tool.precheck?.(args);
      return tool.execute(await validateArguments(tool.descriptor, args), call);
    },
  };
}
