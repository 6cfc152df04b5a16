import type { ZooClient } from '../../../../contract/api.ts';
import type { TrustReport } from '../../../../contract/workspace.ts';
import { Failure, wrongUsage } from '../../output/failure.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { shortPath } from '../../render/layout.ts';
import { renderTable } from '../../render/table.ts';
import { renderTrust } from '../../render/trust.ts';
import { confirm } from '../../input/asker.ts';
import { withClient } from '../../hub-access/with-client.ts';

export interface TrustOptions {
  yes?: true;
  revoke?: true;
  list?: true;
}

export async function trustWorkspace(call: Invocation, options: TrustOptions): Promise<void> {
  if (Object.keys(options).length > 1) throw wrongUsage('use one of --yes, --revoke and --list');
  await withClient(call, async (client) => {
    if (options.list) return listWorkspaces(call, client);
    if (options.revoke) {
      const report = await client.call('revokeTrust', {});
      return print(call, report, () => renderTrust(report, call));
    }
    const report = await client.call('getTrust', {});
    if (!isOpen(report)) return print(call, report, () => renderTrust(report, call));
    if (options.yes) {
      const approved = await client.call('approveTrust', { body: { hash: report.hash } });
      return print(call, approved, () => `${renderTrust(report, call)}\nApproved.`);
    }
    print(call, report, () => renderTrust(report, call));
    if (call.json) return undefined;
    return askForTrust(call, client, report);
  });
}

/** Whether something waits for approval. */
export function isOpen({ state }: TrustReport): boolean {
  return state === 'untrusted' || state === 'changed';
}

async function askForTrust(call: Invocation, client: ZooClient, report: TrustReport): Promise<void> {
  const { asker } = call.terminal;
  if (!asker)
    throw new Failure('not approved: there is no terminal to ask at', {
      hints: ['`zoo trust --yes` approves it'],
    });
  if (!(await confirm(asker, 'Approve it?')))
    return say(call, 'Not approved: nothing of it runs. `zoo trust` asks again.');
  await client.call('approveTrust', { body: { hash: report.hash } });
  say(call, 'Approved. You will be asked again when any of this changes; `zoo trust --revoke` revokes it.');
}

async function listWorkspaces(call: Invocation, client: ZooClient): Promise<void> {
  const { workspaces } = await client.call('listWorkspaces', {});
  print(call, { workspaces }, () =>
    renderTable(
      workspaces.map(({ id, path, trust }) => [
        { text: id, style: 'bold' },
        {
          text: trust.replaceAll('-', ' '),
          style: trust === 'changed' || trust === 'untrusted' ? 'warning' : null,
        },
        shortPath(path, call.folder) || '.',
      ]),
      call,
      { columns: [{}, {}, { min: 20, max: Infinity }] },
    ).join('\n'),
  );
}
