import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Environment, userConfigFolder, zooHome } from '../home/paths.ts';
import { findProgram } from '../processes/find-program.ts';
import type { Launch, LaunchPatch, McpClient, Place } from './client.ts';

export function placeOf({ env, folder }: { env: Environment; folder: string }): Place {
  const { platform } = process;
  const home = (platform === 'win32' ? env['USERPROFILE'] : env['HOME']) || homedir();
  return { env, platform, home, folder };
}

/** The entry that `zoo connect` writes for a client. */
export async function ownLaunch(
  client: McpClient,
  place: Place,
  agent: string | undefined,
): Promise<LaunchPatch> {
  const program = client.knowsPath ? await ownProgram(place) : [process.execPath, programFile()];
  return launchOf(program, client, place, agent);
}

/** The command line that starts this program from a shell or with a shell's PATH. */
export async function ownProgram(place: Place): Promise<string[]> {
  return (await isOnPath(place)) ? ['zoo'] : [process.execPath, programFile()];
}

/** Whether an entry starts this program, on the same hub. */
export async function isOwnLaunch(
  launch: Launch,
  client: McpClient,
  place: Place,
  agent: string | undefined,
): Promise<boolean> {
  const programs = [[process.execPath, programFile()], ...((await isOnPath(place)) ? [['zoo']] : [])];
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
    ...(client.protocol === 'acp'
      ? ['acp', ...(agent === undefined ? [] : [agent])]
      : [
          'mcp',
          ...(client.workspaceVariable === null ? [] : ['--workspace', client.workspaceVariable]),
          ...(agent === undefined ? [] : ['--agent', agent]),
        ]),
  ];
  // Clients pass on little or none of their environment.
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

/** The agent of an entry; undefined for the whole hub. */
export function agentOf({ args }: Launch): string | undefined {
  const acp = args.lastIndexOf('acp');
  if (acp !== -1 && acp >= args.length - 2) return args[acp + 1];
  const at = args.indexOf('--agent');
  return at === -1 ? args.find((arg) => arg.startsWith('--agent='))?.slice('--agent='.length) : args[at + 1];
}

/**
 * Whether `zoo` on the PATH is this program and not another one. Never on Windows, where it is a script that only a
 * shell can start.
 */
async function isOnPath({ env, platform, folder }: Place): Promise<boolean> {
  const found = platform === 'win32' ? null : await findProgram('zoo', env, folder);
  return found !== null && realpathSync(found) === realpathSync(programFile());
}

/** The built command; the same from the bundle and from the sources. */
function programFile(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const file = join(folder, 'dist', 'zoo.js');
    if (existsSync(file)) return file;
    const parent = dirname(folder);
    if (parent === folder) throw new Error('the command is not built: run npm run build');
    folder = parent;
  }
}
