import { join } from 'node:path';
import type { McpClient, Place } from './client.ts';
import { jsonc } from '../config-edits/jsonc.ts';
import { standardEntry, standardLaunch } from './standard-entry.ts';

const ownFolder = ({ env, home }: Place): string => join(env['GEMINI_CLI_HOME'] || home, '.gemini');

export const gemini: McpClient = {
  id: 'gemini',
  title: 'Gemini CLI',
  format: jsonc,
  files: (scope, place) => [
    join(scope === 'user' ? ownFolder(place) : join(place.folder, '.gemini'), 'settings.json'),
  ],
  traces: (place) => [ownFolder(place)],
  callsItself: /^gemini/i,
  programs: ['gemini'],
  knowsPath: true,
  workspaceVariable: null,
  serversPath: () => ['mcpServers'],
  entry: standardEntry,
  launch: standardLaunch,
  next: 'Restart Gemini CLI; /mcp shows it. It starts servers only in folders that it trusts.',
};
