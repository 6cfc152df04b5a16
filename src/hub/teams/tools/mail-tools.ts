import * as z from 'zod';
import { ZooError } from '../../../contract/errors.ts';
import type { Tool } from '../../../contract/tool.ts';
import { nameOf } from '../../../teams/state/reach.ts';
import { idForSender, type Member, type TeamState } from '../../../teams/state/team-state.ts';
import type { TeamStore } from '../../../teams/team-store.ts';
import { defineTool } from '../../../tools/define-tool.ts';
import { answer, type MemberCall, text } from './member-call.ts';

const WAIT =
  'The reply will arrive as your next message. End your turn now; do not call check_inbox to wait for it.';

/** Sending and reading messages. */
export function createMailTools(store: TeamStore, limited: MemberCall): Tool[] {
  return [
    defineTool(
      {
        name: 'send_message',
        title: 'Send a message',
        description:
          'Sends a message to another agent: your parent, a child or a sibling; the root can also write to "user". Returns at once. With sync, the reply arrives as your next message.',
        properties: {
          recipient: { ...text, description: 'Agent name.' },
          text: { ...text, description: 'Message body.' },
          sync: { type: 'boolean', default: true, description: 'Whether you need a reply.' },
          reply_to: { ...text, description: 'The id of the message that this one answers.' },
        },
        required: ['recipient', 'text'],
        answers: { status: text, message_id: text, waiting_for_reply: { type: 'boolean' } },
        effect: 'adds',
      },
      z.object({
        recipient: z.string(),
        text: z.string(),
        sync: z.boolean().default(true),
        reply_to: z.string().optional(),
      }),
      async ({ recipient, text: body, sync, reply_to: answered }, call) => {
        const { actor, member } = limited(call);
        const replyTo =
          answered === undefined
            ? null
            : await findAnswered(store, answered, member, recipient, actor.state());
        const waiting = sync && replyTo === null;
        const { id } = await actor.dispatch({
          type: 'send',
          from: member.id,
          to: recipient,
          text: body,
          // An answer ends the exchange unless the caller asks for more.
          sync: waiting,
          replyTo,
        });
        return answer(
          { status: 'sent', message_id: id, waiting_for_reply: waiting },
          waiting ? WAIT : 'The message is on its way; there is nothing to wait for.',
        );
      },
    ),
    defineTool(
      {
        name: 'broadcast',
        title: 'Send to all siblings',
        description:
          'Sends a message to all siblings in the team; from the root, to all its children. Replies arrive as separate messages.',
        properties: { text },
        required: ['text'],
        answers: { status: text, message_id: text, recipient_count: { type: 'integer' } },
        effect: 'adds',
      },
      z.object({ text: z.string() }),
      async ({ text: body }, call) => {
        const { actor, member } = limited(call);
        const { id, recipients } = await actor.dispatch({ type: 'broadcast', from: member.id, text: body });
        return answer({ status: 'sent', message_id: id, recipient_count: recipients });
      },
    ),
    defineTool(
      {
        name: 'check_inbox',
        title: 'Check the inbox',
        description:
          'Gets messages that arrived during this turn. Never call it to wait: new messages wake you after your turn.',
        properties: {},
        required: [],
        answers: { messages: { type: 'array' } },
        effect: 'sets',
      },
      z.object({}),
      async (_args, call) => {
        const { actor, member } = limited(call);
        const { messages = [] } = await actor.dispatch({ type: 'check-inbox', member: member.id });
        const { members } = actor.state();
        const list = messages.map((message) => ({
          from: nameOf(members, message.from),
          text: message.text,
          message_id: message.id,
        }));
        const words = 'Nothing to wait for here: end your turn when you have nothing else to do.';
        return answer({ messages: list }, list.length === 0 ? words : undefined);
      },
    ),
  ];
}

/**
 * The id that the sender of the answered message knows it by. Ids are no secret: only the recipient of a message may
 * answer it, and only to its sender.
 */
async function findAnswered(
  store: TeamStore,
  id: string,
  { id: memberId }: Member,
  recipient: string,
  { members }: TeamState,
): Promise<string> {
  const asked = await store.message(id);
  if (asked?.to === memberId && nameOf(members, asked.from) === recipient) return idForSender(asked);
  throw new ZooError('invalid_arguments', `reply_to: '${id}' is not a message from '${recipient}' to you.`);
}
