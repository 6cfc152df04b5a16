import type { LaunchPatch, Scope } from '../../clients/client.ts';
import { brokenFailure, loadConfig, saveConfig } from '../../clients/config/config-file.ts';
import { applyPatch, BrokenConfig, isTable, valueAt } from '../../clients/config/format.ts';
import type { Table } from '../../clients/config/format.ts';
import { isInstalled, loadClientFiles, serverName } from '../../clients/connections.ts';
import { ownLaunch } from '../../clients/own-launch.ts';
import { Failure, wrongUsage } from '../../output/failure.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { shortPath } from '../../render/layout.ts';
import { withClient } from '../../hub-access/with-client.ts';
import { listClients } from './connect-list.ts';
import { printConnection } from './connect-print.ts';
import { clientIds, findTarget } from './connect-target.ts';
import type { Target } from './connect-target.ts';

export interface ConnectOptions {
  agent?: string;
  scope?: Scope;
  print?: true;
  remove?: true;
}

export async function connectClient(
  call: Invocation,
  id: string | undefined,
  options: ConnectOptions,
): Promise<void> {
  if (options.print && options.remove) throw wrongUsage('use --print or --remove, not both');
  if (id === undefined) {
    if (Object.keys(options).length > 0) throw wrongUsage('name a client', `one of ${clientIds.join(', ')}`);
    return listClients(call);
  }
  const target = await findTarget(call, id, options.scope ?? 'user', options.agent);
  if (options.remove) return disconnect(call, target);
  // First, so that a misspelt id fails before anything is written.
  const { agent } = options;
  if (agent !== undefined) await withClient(call, (client) => client.call('getAgent', { id: agent }));
  const launch = await ownLaunch(target.client, target.place, agent);
  return options.print ? printConnection(call, target, launch) : write(call, target, launch);
}

async function write(call: Invocation, target: Target, launch: LaunchPatch): Promise<void> {
  const { client, file, name, place, scope } = target;
  const installed = await isInstalled(client, place);
  const { changed, backup } = await edit(target, (text, path, config) => {
    const patch = client.entry(launch, config);
    const now = valueAt(config, path);
    return same(now, applyPatch(now, patch)) ? text : client.format.patch(text, path, patch);
  });
  const where = shortPath(file, call.folder, place.home);
  print(call, result(target, { changed, backup }), () =>
    changed
      ? `Connected ${client.title}: ${name} in ${where}`
      : `${client.title} is already connected: ${name} in ${where}`,
  );
  if (call.json) return;
  if (backup !== null) say(call, `Backup of the file: ${shortPath(backup, call.folder, place.home)}`);
  if (!installed)
    say(call, `${client.title} was not found on this machine; it will use this once it is installed.`);
  if (!changed) return;
  if (scope === 'project' && launch.command !== 'zoo') {
    say(
      call,
      'The file contains paths of this machine: keep it out of version control, or put `zoo` on your PATH first.',
    );
  }
  say(call, `${client.next} \`zoo doctor\` checks that it works.`);
}

async function disconnect(call: Invocation, target: Target): Promise<void> {
  const { client, file, name, place } = target;
  const { changed, backup } = await edit(target, (text, path) => client.format.remove(text, path));
  if (!changed) {
    throw new Failure(`${client.title} is not connected: ${file} has no ${name}`, {
      code: 'not_connected',
      hints: await elsewhere(target),
    });
  }
  const where = shortPath(file, call.folder, place.home);
  print(
    call,
    result(target, { changed, backup }),
    () => `Disconnected ${client.title}: removed ${name} from ${where}`,
  );
  if (!call.json && backup !== null) {
    say(call, `Backup of the file: ${shortPath(backup, call.folder, place.home)}`);
  }
}

/** Commands that remove the connections that do exist. */
async function elsewhere({ client, place }: Target): Promise<string[]> {
  const files = await loadClientFiles(client, place);
  return files.flatMap(({ scope, connections }) =>
    connections.map(({ name }) => {
      const agent = name.slice(serverName('').length);
      return `zoo connect ${client.id} --remove --scope ${scope}${agent === '' ? '' : ` --agent ${agent}`}`;
    }),
  );
}

/** Loads, edits and saves a client's file; everything that is not ours must stay unchanged. */
async function edit(
  { client, file, name, scope }: Target,
  change: (text: string, path: readonly string[], config: Table) => string,
): Promise<{ changed: boolean; backup: string | null }> {
  try {
    const before = await loadConfig(file);
    const config = client.format.parse(before.text);
    const path = [...client.serversPath(config), name];
    const text = change(before.text, path, config);
    if (text === before.text) return { changed: false, backup: null };
    if (!same(without(config, path), without(client.format.parse(text), path))) {
      throw new Error(`editing ${file} would have changed more than ${path.join('.')}; nothing was written`);
    }
    const backup = await saveConfig(file, before, text, scope === 'user' ? 0o600 : 0o644);
    return { changed: true, backup };
  } catch (error) {
    throw error instanceof BrokenConfig ? brokenFailure(file, error) : error;
  }
}

function without(config: Table, path: readonly string[]): Table {
  const [key = '', ...rest] = path;
  const { [key]: inner, ...others } = config;
  if (rest.length === 0 || !isTable(inner)) return others;
  const left = without(inner, rest);
  return Object.keys(left).length === 0 ? others : { ...others, [key]: left };
}

/** Ignores the order of keys. */
function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one, sorted) === JSON.stringify(other, sorted);
}

function sorted(_key: string, value: unknown): unknown {
  // TOML has integers that JSON cannot represent.
  if (typeof value === 'bigint') return String(value);
  if (!isTable(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function result(
  { client, scope, file, name, agent }: Target,
  done: { changed: boolean; backup: string | null },
) {
  return { client: client.id, scope, file, name, agent: agent ?? null, ...done };
}
