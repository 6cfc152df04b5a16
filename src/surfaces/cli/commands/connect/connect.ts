import type { LaunchPatch, Scope } from '../../../../platform/clients/client.ts';
import {
  type EntryChange,
  type EntryTarget,
  removeEntry,
  writeEntry,
} from '../../../../platform/clients/client-entry.ts';
import { isInstalled, loadClientFiles, serverName } from '../../../../platform/clients/connections.ts';
import { ownLaunch } from '../../../../platform/clients/own-launch.ts';
import { BrokenConfig } from '../../../../platform/config-edits/format.ts';
import { withClient } from '../../hub-access/with-client.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { brokenFailure } from '../../output/broken-config.ts';
import { Failure, wrongUsage } from '../../output/failure.ts';
import { renderChanges } from '../../render/diff.ts';
import { shortPath } from '../../render/layout.ts';
import { listClients } from './connect-list.ts';
import { printConnection } from './connect-print.ts';
import { clientIds, findTarget } from './connect-target.ts';

export interface ConnectOptions {
  agent?: string;
  acp?: true;
  scope?: Scope;
  print?: true;
  dryRun?: true;
  remove?: true;
}

export async function connectClient(
  call: Invocation,
  id: string | undefined,
  options: ConnectOptions,
): Promise<void> {
  if (options.print && options.remove) throw wrongUsage('use --print or --remove, not both');
  const dryRun = options.dryRun ?? false;
  if (options.print && dryRun) throw wrongUsage('use --print or --dry-run, not both');
  if (id === undefined) {
    if (Object.keys(options).length > 0) throw wrongUsage('name a client', `one of ${clientIds.join(', ')}`);
    return listClients(call);
  }
  const target = await findTarget(call, id, options);
  if (options.remove) return disconnect(call, target, dryRun);
  // First, so that a misspelt id fails before anything is written.
  const { agent } = options;
  if (agent !== undefined) await withClient(call, (client) => client.call('getAgent', { id: agent }));
  const launch = await ownLaunch(target.client, target.place, agent);
  return options.print ? printConnection(call, target, launch) : write(call, target, launch, dryRun);
}

async function write(
  call: Invocation,
  target: EntryTarget,
  launch: LaunchPatch,
  dryRun: boolean,
): Promise<void> {
  const { client, file, name, place, scope } = target;
  const installed = await isInstalled(client, place);
  const done = await orBroken(file, writeEntry(target, launch, { dryRun }));
  if (dryRun) return showChange(call, target, done);
  const { changed, backup } = done;
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

async function disconnect(call: Invocation, target: EntryTarget, dryRun: boolean): Promise<void> {
  const { client, file, name, place } = target;
  const done = await orBroken(file, removeEntry(target, { dryRun }));
  const { changed, backup } = done;
  const where = shortPath(file, call.folder, place.home);
  if (!changed) {
    throw new Failure(`${client.title} is not connected: ${where} has no ${name}`, {
      code: 'not_connected',
      hints: await elsewhere(target),
    });
  }
  if (dryRun) return showChange(call, target, done);
  print(
    call,
    result(target, { changed, backup }),
    () => `Disconnected ${client.title}: removed ${name} from ${where}`,
  );
  if (!call.json && backup !== null) {
    say(call, `Backup of the file: ${shortPath(backup, call.folder, place.home)}`);
  }
}

/** For `--dry-run`: the change as a diff. */
function showChange(call: Invocation, target: EntryTarget, { changed, before, after }: EntryChange): void {
  const where = shortPath(target.file, call.folder, target.place.home);
  print(call, { ...result(target, { changed, backup: null }), text: after }, () =>
    changed
      ? renderChanges([{ path: where, before, after }], call.paint)
      : `${target.client.title} is already connected: ${where} would not change`,
  );
  if (changed && !call.json) say(call, 'Nothing was written.');
}

/** Commands that remove the connections that do exist. */
async function elsewhere({ client, place }: EntryTarget): Promise<string[]> {
  const files = await loadClientFiles(client, place);
  return files.flatMap(({ scope, connections }) =>
    connections.map(({ name }) => {
      const agent = name.slice(serverName('').length);
      const acp = client.protocol === 'acp' ? ' --acp' : '';
      return `zoo connect ${client.id}${acp} --remove --scope ${scope}${agent === '' ? '' : ` --agent ${agent}`}`;
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
