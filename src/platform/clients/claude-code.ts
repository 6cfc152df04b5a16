import { join } from 'node:path';
import type { McpClient } from './client.ts';
import { jsonc } from '../config-edits/jsonc.ts';
import { standardEntry, standardLaunch } from './standard-entry.ts';

export const claudeCode: McpClient = {
  id: 'claude-code',
  title: 'Claude Code',
  format: jsonc,
  files: (scope, { env, home, folder }) =>
    scope === 'user' ? [join(env['CLAUDE_CONFIG_DIR'] || home, '.claude.json')] : [join(folder, '.mcp.json')],
  traces: ({ env, home }) => [env['CLAUDE_CONFIG_DIR'] || join(home, '.claude')],
  callsItself: /^claude[- ]code/i,
  programs: ['claude'],
  knowsPath: true,
  workspaceVariable: null,
  serversPath: () => ['mcpServers'],
  entry: (launch) => ({ type: 'stdio', ...standardEntry(launch) }),
  launch: standardLaunch,
  next: 'Restart Claude Code; /mcp shows it. Claude Code asks once to approve a project server.',
};
