import { join } from 'node:path';
import type { McpClient } from './client.ts';
import { jsonc } from '../config-edits/jsonc.ts';
import { settingsFolder } from './folders.ts';
import { standardEntry, standardLaunch } from './standard-entry.ts';

export const claudeDesktop: McpClient = {
  id: 'claude-desktop',
  title: 'Claude Desktop',
  format: jsonc,
  files: (scope, place) =>
    scope === 'user' ? [join(settingsFolder(place), 'Claude', 'claude_desktop_config.json')] : [],
  traces: (place) => [join(settingsFolder(place), 'Claude')],
  callsItself: /^claude(-ai|[- ]desktop)?$/i,
  programs: ['claude-desktop'],
  // Started from a dock or menu, it has the system's PATH, which often lacks Node.js.
  knowsPath: false,
  workspaceVariable: null,
  serversPath: () => ['mcpServers'],
  entry: standardEntry,
  launch: standardLaunch,
  next: 'Quit Claude Desktop and start it again.',
};
