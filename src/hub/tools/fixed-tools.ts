import type { Tool, ToolProvider } from '../../contract/tool.ts';

/** The same tools for every workspace. */
export function fixedTools(tools: readonly Tool[]): ToolProvider<unknown> {
  return { tools: async () => tools };
}
