import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { renderDone } from '../../render/done.ts';
import { localTime } from '../../render/layout.ts';
import { renderTable } from '../../render/table.ts';
import { withClient } from '../../hub-access/with-client.ts';

export async function showHistory(call: Invocation, id: string, options: { limit?: number }): Promise<void> {
  const history = await withClient(call, (client) => client.call('agentHistory', { id, ...options }));
  print(call, history, () =>
    renderTable(
      history.revisions.map(({ revision, at, action, surface, changes, label }) => [
        { text: String(revision), style: 'bold' },
        localTime(at),
        action,
        surface,
        label === null ? shorten(changes) : `“${label}” ${shorten(changes)}`,
      ]),
      call,
      { gap: 2, columns: [{ align: 'right' }, {}, {}, {}, { min: 16, max: Infinity }] },
    ).join('\n'),
  );
  if (!call.json && history.revisions.length === 0) {
    say(call, `${id} is defined in a file and has no revisions.`);
  }
}

function shorten(changes: readonly string[]): string {
  const shown = changes.slice(0, 6).join(', ');
  return changes.length > 6 ? `${shown}, … ${changes.length - 6} more` : shown;
}

export async function diffAgent(call: Invocation, id: string, from?: number, to?: number): Promise<void> {
  const diff = await withClient(call, (client) =>
    client.call('diffAgent', {
      id,
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    }),
  );
  const { renderChanges } = await import('../../render/diff.ts');
  print(call, diff, () => renderChanges(diff.changes, call.paint));
  if (call.json) return;
  const span = `revisions ${diff.from} and ${diff.to} of ${id}`;
  say(call, diff.changes.length === 0 ? `No changes between ${span}.` : `Changes between ${span}.`);
}

export async function restoreAgent(call: Invocation, id: string, revision: number): Promise<void> {
  const agent = await withClient(call, (client) => client.call('restoreAgent', { id, body: { revision } }));
  print(call, agent, () => `${renderDone('Restored', agent)}: a copy of revision ${revision}`);
}
