import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { renderDone } from '../../render/done.ts';
import { alignColumns, localTime } from '../../render/layout.ts';
import { withClient } from '../../hub-access/with-client.ts';

export async function showHistory(call: Invocation, id: string, options: { limit?: number }): Promise<void> {
  const history = await withClient(call, (client) => client.call('agentHistory', { id, ...options }));
  print(call, history, () =>
    alignColumns(
      history.revisions.map(({ revision, at, action, surface, changes }) => [
        `  ${revision}`,
        localTime(at),
        action,
        surface,
        shorten(changes),
      ]),
      [],
      2,
    ).join('\n'),
  );
  if (!call.json && history.revisions.length === 0) {
    say(call, `${id} lives in a file and has no revisions here.`);
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
  const span = `revision ${diff.from} and ${diff.to} of ${id}`;
  say(call, diff.changes.length === 0 ? `No difference between ${span}.` : `Between ${span}.`);
}

export async function restoreAgent(call: Invocation, id: string, revision: number): Promise<void> {
  const agent = await withClient(call, (client) => client.call('restoreAgent', { id, body: { revision } }));
  print(call, agent, () => `${renderDone('Restored', agent)}: as it was at revision ${revision}`);
}
