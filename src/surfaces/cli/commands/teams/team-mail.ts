import { setTimeout as sleep } from 'node:timers/promises';
import { type TeamMessage, textForPeople } from '../../../../contract/team.ts';
import { withClient } from '../../hub-access/with-client.ts';
import { type Invocation, print, say } from '../../invocation.ts';
import { localTime, wrap } from '../../render/layout.ts';
import { followTeam } from './attach-team.ts';

const POLL_MS = 1_000;

export interface LogOptions {
  follow?: boolean;
  dead?: boolean;
  turns?: boolean;
}

export async function sendToMember(
  call: Invocation,
  id: string,
  to: string,
  text: string,
  { replyTo }: { replyTo?: string },
): Promise<void> {
  const body = { to, text, ...(replyTo === undefined ? {} : { replyTo }) };
  const sent = await withClient(call, (client) => client.call('sendToMember', { id, body }));
  print(call, sent, () => `Sent to ${to} (message ${sent.id}).`);
}

export async function readInbox(call: Invocation, id: string): Promise<void> {
  const answer = await withClient(call, (client) => client.call('readTeamInbox', { id }));
  print(call, answer, () =>
    answer.messages.map((message) => renderMessage(message, call, message.kind)).join('\n'),
  );
  if (!call.json && answer.messages.length === 0) say(call, 'Nothing new.');
}

export async function redeliver(call: Invocation, id: string, message: string): Promise<void> {
  const sent = await withClient(call, (client) => client.call('redeliverMessage', { id, message }));
  print(call, sent, () => `Message ${sent.id} is queued again.`);
}

export async function printLog(
  call: Invocation,
  id: string,
  { follow, dead, turns }: LogOptions,
): Promise<void> {
  await withClient(call, async (client) => {
    if (turns) return followTeam(call, client, id, () => follow ?? false);
    let after = 0;
    for (;;) {
      const { state } = await client.call('getTeam', { id });
      const answer = await client.call('listTeamMessages', { id, after, ...(dead ? { dead } : {}) });
      if (answer.messages.length > 0) {
        print(call, answer, () =>
          answer.messages
            .map((message) => renderMessage(message, call, `${message.kind}, ${stateOf(message)}`))
            .join('\n'),
        );
      }
      after = answer.messages.at(-1)?.seq ?? after;
      if (dead && !follow && !call.json && answer.messages.length === 0) say(call, 'No dead letters.');
      const more = answer.messages.length > 0 && !dead;
      const goesOn = follow && (state === 'running' || state === 'paused');
      if (!more && !goesOn) return;
      if (!more) await sleep(POLL_MS);
    }
  });
}

/** At a terminal, the beginning of the id is enough to type. */
function renderMessage(message: TeamMessage, call: Invocation, about: string): string {
  const { id, from, to, reason, at } = message;
  const { paint, columns } = call;
  const shownId = columns === Infinity ? id : id.slice(0, 8);
  const lines = [
    `${paint('dim', localTime(at))} ${paint('bold', `${from} → ${to}`)}  ${paint('dim', `${about}  ${shownId}`)}`,
    ...(reason === null ? [] : [paint('alert', wrap(reason, columns, '  '))]),
    wrap(textForPeople(message).trimEnd(), columns, '  '),
  ];
  return lines.join('\n');
}

function stateOf({ state, to, waitsForReply }: TeamMessage): string {
  if (state === 'dead') return 'not delivered';
  if (state === 'queued' && to === 'user') return 'unread';
  return waitsForReply ? `${state}, reply due` : state;
}
