/** Tools that MCP clients bring themselves, as agents made for them list them. */
const CLIENT_TOOLS = new Set(
  (
    'Agent AskUserQuestion Bash BashOutput Edit EnterPlanMode ExitPlanMode Glob Grep KillBash KillShell LS ' +
    'ListMcpResourcesTool MultiEdit NotebookEdit NotebookRead Read ReadMcpResourceTool Skill SlashCommand Task ' +
    'TodoRead TodoWrite WebFetch WebSearch Write'
  ).split(' '),
);

/** Whether an entry of a tool list means the client's own tool: `Read`, `Bash(npm test:*)`, `mcp__github__search`. */
export function isClientTool(entry: string): boolean {
  const [name = '', rules] = entry.split('(', 2);
  if (rules !== undefined) return /^[A-Z][A-Za-z]*$/.test(name) && entry.endsWith(')');
  return CLIENT_TOOLS.has(name) || name.startsWith('mcp__');
}
