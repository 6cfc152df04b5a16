import { join } from 'node:path';
import type { McpClient, Place } from './client.ts';
import { jsonc } from '../config-edits/jsonc.ts';
import { settingsFolder, xdgFolder } from './folders.ts';
import { standardEntry, standardLaunch } from './standard-entry.ts';

const ownFolder = (place: Place): string =>
  place.platform === 'win32' ? join(settingsFolder(place), 'Zed') : join(xdgFolder(place), 'zed');

/** Zed as an editor that shows agents in its Agent Panel, over ACP. */
export const zedAgents: McpClient = {
  id: 'zed',
  title: 'Zed',
  protocol: 'acp',
  format: jsonc,
  files: (scope, place) => zed.files(scope, place),
  traces: (place) => [ownFolder(place)],
  callsItself: /^zed/i,
  programs: ['zed', 'zeditor'],
  knowsPath: true,
  workspaceVariable: null,
  serversPath: () => ['agent_servers'],
  entry: (launch) => ({ type: 'custom', ...standardEntry(launch) }),
  launch: standardLaunch,
  next: 'Start a thread with it in the Agent Panel.',
};

export const zed: McpClient = {
  id: 'zed',
  title: 'Zed',
  format: jsonc,
  files: (scope, place) => [
    join(scope === 'user' ? ownFolder(place) : join(place.folder, '.zed'), 'settings.json'),
  ],
  traces: (place) => [ownFolder(place)],
  callsItself: /^zed/i,
  programs: ['zed', 'zeditor'],
  knowsPath: true,
  workspaceVariable: null,
  serversPath: () => ['context_servers'],
  // Required by versions of 2025 and ignored by later ones.
  entry: (launch) => ({ source: 'custom', ...standardEntry(launch) }),
  launch: standardLaunch,
  next: 'Zed picks it up automatically; see the settings of its Agent Panel.',
};
