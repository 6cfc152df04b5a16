import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { zooHome } from '../../../../platform/home/paths.ts';
import { VERSION } from '../../../../platform/home/version.ts';
import { fail, ok, warn } from './check-result.ts';
import type { Check } from './check-result.ts';
import type { Invocation } from '../../invocation.ts';
import { firstLine, plural, shortPath } from '../../render/layout.ts';
import type { Launch, McpClient, Place } from '../../../../platform/clients/client.ts';
import { whereIn } from '../../../../platform/config-edits/config-file.ts';
import { loadClientFiles } from '../../../../platform/clients/connections.ts';
import type { ClientConnection, ClientFile } from '../../../../platform/clients/connections.ts';
import { acpEditors } from '../../../../platform/clients/acp-editors.ts';
import { clients } from '../../../../platform/clients/index.ts';
import { isOwnLaunch, placeOf } from '../../../../platform/clients/own-launch.ts';
import { probe } from './probe.ts';
import type { Probe } from './probe.ts';

const timeoutMs = 20_000;

/** Starts every entry of ours in every client's files and speaks its protocol to it. */
export async function checkConnections(call: Invocation): Promise<Check[]> {
  const place = placeOf(call);
  const found = await Promise.all(
    [...clients, ...acpEditors].map(async (client) => {
      const files = await loadClientFiles(client, place);
      return Promise.all(files.map((file) => checkFile(client, file, place, call)));
    }),
  );
  return found.flat(2);
}

async function checkFile(
  client: McpClient,
  file: ClientFile,
  place: Place,
  call: Invocation,
): Promise<Check[]> {
  if (file.problem) {
    const where = whereIn(shortPath(file.file, call.folder, place.home), file.problem);
    return [
      warn(
        client.id,
        `${where}: ${file.problem.message}`,
        `${client.title} may not be able to read it either`,
      ),
    ];
  }
  return Promise.all(file.connections.map((one) => checkConnection(client, file, one, place)));
}

async function checkConnection(
  client: McpClient,
  { scope, file }: ClientFile,
  connection: ClientConnection,
  place: Place,
): Promise<Check> {
  const { name, agent, launch, off } = connection;
  const isAcp = client.protocol === 'acp';
  const title = `${client.id}${isAcp ? ' acp' : ''} (${scope}${agent === undefined ? '' : `, ${agent}`})`;
  const again = `zoo connect ${client.id}${isAcp ? ' --acp' : ''}${scope === 'user' ? '' : ' --scope project'}${agent === undefined ? '' : ` --agent ${agent}`}`;
  if (off) return warn(title, `${name} is disabled in ${client.title}`, `enable it there, or in ${file}`);
  if (!launch)
    return warn(title, `${name} starts no command, so it was not checked`, `${again} writes one that does`);
  // A project's file may come from anybody: run only what `zoo connect` would have written.
  if (scope === 'project' && !(await isOwnLaunch(launch, client, place, agent))) {
    return warn(
      title,
      `not started: it runs \`${firstLine(commandLine(launch), 120)}\`, which is not this program`,
      `check ${file}; ${again} rewrites it`,
    );
  }
  const lost = [launch.command, ...launch.args.slice(0, 1)].find(
    (part) => isAbsolute(part) && !existsSync(part),
  );
  if (lost !== undefined) return fail(title, `${lost} no longer exists`, `${again} writes the new path`);
  const opened = openedIn(launch, client, place);
  const surroundings = { cwd: place.folder, env: place.env, timeoutMs };
  const result = await probe(opened, { ...surroundings, protocol: client.protocol ?? 'mcp' });
  return result.ok
    ? describeAnswer(title, result, agent, otherHome(launch, place))
    : describeProblem(title, launch, result, again);
}

/** As the client would start it, with this folder open. */
function openedIn(launch: Launch, { workspaceVariable }: McpClient, { folder }: Place): Launch {
  if (workspaceVariable === null) return launch;
  return { ...launch, args: launch.args.map((arg) => arg.replaceAll(workspaceVariable, () => folder)) };
}

function describeAnswer(
  title: string,
  { version, tools }: Probe & { ok: true },
  agent: string | undefined,
  home: string | null,
): Check {
  const what = tools === null ? 'works as an agent' : `works, with ${plural(tools, 'tool')}`;
  const message = `${what}${home === null ? '' : `; it uses the hub of ${home}`}`;
  // A server for one agent reports the version of the agent.
  return agent !== undefined || version === VERSION
    ? ok(title, message)
    : warn(
        title,
        `${message}; it is version ${version}, this is ${VERSION}`,
        'run zoo stop, then restart the client',
      );
}

function otherHome({ env }: Launch, place: Place): string | null {
  const home = zooHome({ ...place.env, ...env });
  return home === zooHome(place.env) ? null : home;
}

function describeProblem(
  title: string,
  launch: Launch,
  { problem, message, said }: Probe & { ok: false },
  again: string,
): Check {
  const last = firstLine(said.trim().split('\n').at(-1) ?? '', 160);
  const heard = last === '' ? message : `${message}: ${last}`;
  const advice = {
    missing: `${again} writes the current path`,
    ended: `run it yourself: ${commandLine(launch)}`,
    silent: '`zoo logs --level error` may show why the hub does not start',
    refused: '`zoo logs --level error` may have details',
  };
  return fail(title, problem === 'missing' ? `\`${launch.command}\` not found` : heard, advice[problem]);
}

function commandLine({ command, args, env }: Launch): string {
  const words = [command, ...args].map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
  );
  return [...Object.entries(env).map(([name, value]) => `${name}=${JSON.stringify(value)}`), ...words].join(
    ' ',
  );
}
