import { join } from 'node:path';
import type { McpClient } from './client.ts';
import { jsonc } from '../config-edits/jsonc.ts';
import { standardEntry, standardLaunch } from './standard-entry.ts';

export const windsurf: McpClient = {
  id: 'windsurf',
  title: 'Windsurf',
  format: jsonc,
  files: (scope, { home }) =>
    scope === 'user' ? [join(home, '.codeium', 'windsurf', 'mcp_config.json')] : [],
  traces: ({ home }) => [join(home, '.codeium', 'windsurf')],
  callsItself: /^(windsurf|codeium)/i,
  programs: ['windsurf'],
  knowsPath: true,
  workspaceVariable: null,
  serversPath: () => ['mcpServers'],
  entry: standardEntry,
  launch: standardLaunch,
  next: 'Refresh the MCP servers in the Cascade settings.',
};
