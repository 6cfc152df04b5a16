import { join } from 'node:path';
import type { McpClient, Place } from './client.ts';
import { toml } from '../config-edits/toml.ts';
import { standardEntry, standardLaunch } from './standard-entry.ts';

const ownFolder = ({ env, home }: Place): string => env['CODEX_HOME'] || join(home, '.codex');

export const codex: McpClient = {
  id: 'codex',
  title: 'Codex',
  format: toml,
  files: (scope, place) => [
    join(scope === 'user' ? ownFolder(place) : join(place.folder, '.codex'), 'config.toml'),
  ],
  traces: (place) => [ownFolder(place)],
  callsItself: /^codex/i,
  programs: ['codex'],
  knowsPath: true,
  workspaceVariable: null,
  serversPath: () => ['mcp_servers'],
  entry: standardEntry,
  launch: standardLaunch,
  next: 'Restart Codex; /mcp shows it. Codex reads the file of a project only if it trusts the project.',
};
