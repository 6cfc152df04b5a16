import { join } from 'node:path';
import type { McpClient } from './client.ts';
import { jsonc } from '../config-edits/jsonc.ts';
import { settingsFolder } from './folders.ts';
import { standardEntry, standardLaunch } from './standard-entry.ts';

export const vscode: McpClient = {
  id: 'vscode',
  title: 'VS Code',
  format: jsonc,
  files: (scope, place) => [
    scope === 'user'
      ? join(settingsFolder(place), 'Code', 'User', 'mcp.json')
      : join(place.folder, '.vscode', 'mcp.json'),
  ],
  traces: (place) => [join(settingsFolder(place), 'Code')],
  callsItself: /^(visual studio code|vs ?code)/i,
  programs: ['code'],
  knowsPath: true,
  // It has a placeholder, but does not start a server if no folder or several are open. Project servers start in
  // their folder anyway.
  workspaceVariable: null,
  serversPath: () => ['servers'],
  entry: (launch) => ({ type: 'stdio', ...standardEntry(launch) }),
  launch: standardLaunch,
  link(name, { command, args, env }) {
    const config = { name, type: 'stdio', command, args, ...(Object.keys(env).length > 0 ? { env } : {}) };
    return `vscode:mcp/install?${encodeURIComponent(JSON.stringify(config))}`;
  },
  next: 'VS Code asks whether to start it; `MCP: List Servers` shows it.',
};
