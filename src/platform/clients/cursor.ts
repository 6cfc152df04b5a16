import { join } from 'node:path';
import type { McpClient } from './client.ts';
import { jsonc } from '../config-edits/jsonc.ts';
import { standardEntry, standardLaunch } from './standard-entry.ts';

export const cursor: McpClient = {
  id: 'cursor',
  title: 'Cursor',
  format: jsonc,
  files: (scope, { home, folder }) => [join(scope === 'user' ? home : folder, '.cursor', 'mcp.json')],
  traces: ({ home }) => [join(home, '.cursor')],
  callsItself: /^cursor/i,
  programs: ['cursor', 'cursor-agent'],
  knowsPath: true,
  // Starts user-level servers in the home folder, and has no setting for it.
  workspaceVariable: '${workspaceFolder}',
  serversPath: () => ['mcpServers'],
  entry: standardEntry,
  launch: standardLaunch,
  link(name, { command, args, env }) {
    const config = { command, args, ...(Object.keys(env).length > 0 ? { env } : {}) };
    const encoded = Buffer.from(JSON.stringify(config)).toString('base64');
    return `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}&config=${encodeURIComponent(encoded)}`;
  },
  next: 'Cursor picks it up automatically; see Settings > MCP.',
};
