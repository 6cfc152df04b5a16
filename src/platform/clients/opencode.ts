import { join } from 'node:path';
import type { McpClient } from './client.ts';
import { isTable, valueAt } from '../config-edits/format.ts';
import type { Table } from '../config-edits/format.ts';
import { jsonc } from '../config-edits/jsonc.ts';
import { xdgFolder } from './folders.ts';
import { textsOf, variablesOf } from './standard-entry.ts';

const names = ['opencode.json', 'opencode.jsonc'];

export const opencode: McpClient = {
  id: 'opencode',
  title: 'opencode',
  format: jsonc,
  files: (scope, place) =>
    names.map((name) =>
      scope === 'user' ? join(xdgFolder(place), 'opencode', name) : join(place.folder, name),
    ),
  traces: (place) => [join(xdgFolder(place), 'opencode')],
  callsItself: /^opencode/i,
  programs: ['opencode'],
  knowsPath: true,
  workspaceVariable: null,
  serversPath: (config) => (isSecondGeneration(config) ? ['mcp', 'servers'] : ['mcp']),
  entry: ({ command, args, env }, config) => ({
    type: 'local',
    command: [command, ...args],
    ...(isSecondGeneration(config) ? {} : { enabled: true }),
    environment: { ...env },
  }),
  launch({ command, environment }) {
    const [program, ...args] = textsOf(command);
    return program === undefined ? null : { command: program, args, env: variablesOf(environment) };
  },
  next: 'Restart opencode.',
};

/** Version 2 nests the servers one level deeper. In version 1, this could be a server with that name and a type. */
function isSecondGeneration(config: Table): boolean {
  const servers = valueAt(config, ['mcp', 'servers']);
  return isTable(servers) && typeof servers['type'] !== 'string' && typeof servers['enabled'] !== 'boolean';
}
