import type { PermissionRequest } from './harness.ts';

/** The tools that only members of a team have. */
export const TEAM_TOOLS = [
  'send_message',
  'broadcast',
  'check_inbox',
  'spawn_agent',
  'merge_worktree',
  'discard_worktree',
  'inspect_agent',
  'list_team',
  'complete',
] as const;

/** What the MCP server of a member is called in its agent. */
export const TEAM_SERVER = 'team';

/** Titles that Claude Code, opencode, Codex, Copilot and Gemini CLI give to tools of that server. */
const TITLES =
  /^(?:mcp__team__[\w-]+|team[_./:][\w-]+|team-\w+|Tool: team\/[\w-]+|[\w-]+ \(team MCP Server\))$/i;

/**
 * Tools of the hub need no permission of the user: the hub itself checks each call. Copilot names the tool when it
 * announces the call, and asks with its title.
 */
export const isToolOfHub = ({ title, announced = '', kind }: PermissionRequest): boolean =>
  kind === 'other' && (TITLES.test(title) || TITLES.test(announced));
