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
