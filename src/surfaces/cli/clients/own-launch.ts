import { existsSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../../platform/home/paths.ts';
import { userConfigFolder, zooHome } from '../../../platform/home/paths.ts';
import type { Invocation } from '../invocation.ts';
import type { Launch, LaunchPatch, McpClient, Place } from './client.ts';

export function placeOf({ env, folder }: Pick<Invocation, 'env' | 'folder'>): Place {
  const { platform } = process;
  const home = (platform === 'win32' ? env['USERPROFILE'] : env['HOME']) || homedir();
  return { env, platform, home, folder };
}

/** What `zoo connect` writes for a client. */
export function ownLaunch(client: McpClient, place: Place, agent: string | undefined): LaunchPatch {
  const program = client.knowsPath && isOnPath(place) ? ['zoo'] : [process.execPath, programFile()];
  return launchOf(program, client, place, agent);
}

/** Whether an entry starts this very program, and on the hub that is meant here. */
export function isOwnLaunch(
  launch: Launch,
  client: McpClient,
  place: Place,
  agent: string | undefined,
): boolean {
  const programs = [[process.execPath, programFile()], ...(isOnPath(place) ? [['zoo']] : [])];
  return programs.some(
    (program) => identity(withoutAbsent(launchOf(program, client, place, agent))) === identity(launch),
  );
}

function launchOf(
  [command = '', ...first]: readonly string[],
  client: McpClient,
  { env }: Place,
  agent: string | undefined,
): LaunchPatch {
  const args = [
    ...first,
    'mcp',
    ...(client.workspaceVariable === null ? [] : ['--workspace', client.workspaceVariable]),
    ...(agent === undefined ? [] : ['--agent', agent]),
  ];
  // Clients hand on little of their own environment, if any.
  return {
    command,
    args,
    env: {
      ZOO_HOME: env['ZOO_HOME'] ? zooHome(env) : undefined,
      ZOO_CONFIG_DIR: env['ZOO_CONFIG_DIR'] ? userConfigFolder(env) : undefined,
    },
  };
}

export function withoutAbsent({ env, ...launch }: LaunchPatch): Launch {
  const set: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined) set[name] = value;
  return { ...launch, env: set };
}

function identity({ command, args, env }: Launch): string {
  const names = Object.keys(env).toSorted((a, b) => (a < b ? -1 : 1));
  return JSON.stringify([command, args, names.map((name) => [name, env[name]])]);
}

/** The agent that an entry is for; undefined if it is for the whole hub. */
export function agentOf({ args }: Launch): string | undefined {
  const at = args.indexOf('--agent');
  return at === -1 ? args.find((arg) => arg.startsWith('--agent='))?.slice('--agent='.length) : args[at + 1];
}

/**
 * Whether `zoo` means this program to a shell: another one has had that name for longer. Not on Windows, where
 * it would be a script that nobody but a shell can start.
 */
function isOnPath({ env, platform }: Place): boolean {
  const found = platform === 'win32' ? null : findOnPath('zoo', env);
  return found !== null && realpathSync(found) === realpathSync(programFile());
}

export function findOnPath(name: string, env: Environment): string | null {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  for (const folder of (env['PATH'] ?? env['Path'] ?? '').split(delimiter)) {
    for (const ending of folder === '' ? [] : endings) {
      const file = join(folder, name + ending);
      if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
    }
  }
  return null;
}

/** The built command; the same from the bundle and from the sources. */
function programFile(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const file = join(folder, 'dist', 'zoo.js');
    if (existsSync(file)) return file;
    const parent = dirname(folder);
    if (parent === folder) throw new Error('the command is not built: npm run build');
    folder = parent;
  }
}
