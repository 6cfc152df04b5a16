import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ZooClient } from '../../../../contract/api.ts';
import type { TeamTimelineEntry } from '../../../../contract/team.ts';
import { messageOf } from '../../../../platform/text/error-message.ts';
import { withClient } from '../../hub-access/with-client.ts';
import { type Invocation, printLine, say } from '../../invocation.ts';
import { localTime, wrap } from '../../render/layout.ts';

const POLL_MS = 500;

/** Shows what happens in a team, and sends each line that is typed to a member. Ends with the team or with the input. */
export async function attachToTeam(
  call: Invocation,
  named: string,
  member: string | undefined,
): Promise<void> {
  await withClient(call, async (client) => {
    const { id, name, members } = await client.call('getTeam', { id: named });
    const to = member ?? members.find(({ parent }) => parent === null)?.name ?? '';
    say(call, `Attached to ${name}. Lines that you type are sent to ${to}; Ctrl-D detaches.`);
    const input = createInterface({ input: process.stdin });
    let sending: Promise<unknown> = Promise.resolve();
    let isOpen = true;
    input.on('line', (text) => {
      if (text.trim() === '') return;
      sending = sending
        .then(() => client.call('sendToMember', { id, body: { to, text } }))
        .catch((error: unknown) => say(call, messageOf(error)));
    });
    input.on('close', () => {
      isOpen = false;
    });
    try {
      await followTeam(call, client, id, () => isOpen);
      await sending;
    } finally {
      input.close();
    }
  });
}

/** Prints the timeline of a team from the start, until the team ends or `isWanted` returns false. */
export async function followTeam(
  call: Invocation,
  client: ZooClient,
  id: string,
  isWanted: () => boolean,
): Promise<void> {
  let after = 0;
  const shown = new Set<string>();
  for (;;) {
    const { state } = await client.call('getTeam', { id });
    const { entries, next } = await client.call('getTeamTimeline', { id, after });
    for (const entry of entries) {
      const text = renderEntry(entry, call, shown);
      if (text !== null || call.json) printLine(call, entry, () => text ?? '');
    }
    after = next;
    const isOver = state !== 'running' && state !== 'paused';
    if (entries.length === 0 && (isOver || !isWanted())) return;
    if (entries.length === 0) await sleep(POLL_MS);
  }
}

/** Null for entries that are of no interest to a viewer. `shown` are the ids of messages that were printed. */
function renderEntry(
  entry: TeamTimelineEntry,
  { paint, columns }: Invocation,
  shown: Set<string>,
): string | null {
  const indented = (text: string): string => wrap(text.trimEnd(), columns, '  ');
  const at = paint('dim', localTime(entry.at));
  switch (entry.type) {
    case 'team':
      return `${at} ${paint('bold', `team ${entry.state}`)}`;
    case 'worktree':
      return `${at} ${paint('bold', entry.member)} worktree ${entry.state}`;
    case 'member': {
      if (entry.state === 'idle' || entry.state === 'waiting' || entry.state === 'busy') return null;
      return `${at} ${paint('bold', entry.member)} ${entry.state}${entry.reason === null ? '' : `: ${entry.reason}`}`;
    }
    case 'message': {
      const { id, from, to, kind, text } = entry.message;
      if (entry.state === 'queued') {
        const head = `${at} ${paint('bold', `${from} → ${to}`)} `;
        if (shown.has(id)) return `${head}${paint('dim', `${kind}, queued again`)}`;
        shown.add(id);
        return `${head}${paint('dim', kind)}\n${indented(text)}`;
      }
      return entry.state === 'dead' ? `${at} ${paint('alert', `${from} → ${to} not delivered`)}` : null;
    }
    case 'turn':
    default: {
      const { answer, error, number } = entry.turn;
      const said = entry.state === 'ok' ? answer : error;
      if (entry.state === 'running' || entry.state === 'queued' || said === null || said === '') return null;
      return `${at} ${paint('bold', entry.member)} ${entry.state === 'ok' ? 'said' : `turn ${number} ${entry.state}`}\n${indented(said)}`;
    }
  }
}
