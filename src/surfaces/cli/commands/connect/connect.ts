import type { LaunchPatch, Scope } from '../../../../platform/clients/client.ts';
import { type EntryTarget, removeEntry, writeEntry } from '../../../../platform/clients/client-entry.ts';
import { isInstalled, loadClientFiles, serverName } from '../../../../platform/clients/connections.ts';
import { ownLaunch } from '../../../../platform/clients/own-launch.ts';
import { BrokenConfig } from '../../../../platform/config-edits/format.ts';
import { withClient } from '../../hub-access/with-client.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { brokenFailure } from '../../output/broken-config.ts';
import { Failure, wrongUsage } from '../../output/failure.ts';
import { shortPath } from '../../render/layout.ts';
import { listClients } from './connect-list.ts';
import { printConnection } from './connect-print.ts';
import { clientIds, findTarget } from './connect-target.ts';

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

async function write(call: Invocation, target: EntryTarget, launch: LaunchPatch): Promise<void> {
  const { client, file, name, place, scope } = target;
  const installed = await isInstalled(client, place);
  const { changed, backup } = await orBroken(file, writeEntry(target, launch));
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

async function disconnect(call: Invocation, target: EntryTarget): Promise<void> {
  const { client, file, name, place } = target;
  const { changed, backup } = await orBroken(file, removeEntry(target));
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
async function elsewhere({ client, place }: EntryTarget): Promise<string[]> {
  const files = await loadClientFiles(client, place);
  return files.flatMap(({ scope, connections }) =>
    connections.map(({ name }) => {
      const agent = name.slice(serverName('').length);
      return `zoo connect ${client.id} --remove --scope ${scope}${agent === '' ? '' : ` --agent ${agent}`}`;
    }),
  );
}

/** A file that cannot be read is the user's to fix. */
async function orBroken<T>(file: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof BrokenConfig ? brokenFailure(file, error) : error;
  }
}

function result(
  { client, scope, file, name, agent }: EntryTarget,
  done: { changed: boolean; backup: string | null },
) {
  return { client: client.id, scope, file, name, agent: agent ?? null, ...done };
}
