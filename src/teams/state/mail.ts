import { ZooError } from '../../contract/errors.ts';
import { fence } from '../../platform/text/fence.ts';
import type { Draft } from './draft.ts';
import { childrenOf, findRecipient, nameOf, reachableFrom } from './reach.ts';
import { HUB, idForSender, inWords, isOver, type Member, type Message, USER } from './team-state.ts';

const MOST_TEXT = 100_000;

export interface Sending {
  from: string;
  to: string;
  text: string;
  sync: boolean;
  replyTo: string | null;
}

type NewMessage = Pick<Message, 'from' | 'to' | 'kind' | 'text'> & Partial<Message>;

/** Accepts a message: it will be delivered, or its sender notified. */
export function post(draft: Draft, message: NewMessage): Message {
  const sender = draft.members.get(message.from);
  return draft.addMessage({
    id: draft.env.newId(),
    sync: false,
    open: false,
    deadline: null,
    replyTo: null,
    broadcast: null,
    state: 'queued',
    turn: null,
    via: null,
    sentIn: sender?.state === 'busy' ? sender.turn : null,
    reason: null,
    ...message,
  });
}

/** A message of the hub, for members that can still read one. */
export function tell(draft: Draft, to: string, text: string, replyTo: string | null = null): void {
  const member = draft.members.get(to);
  if (to !== USER && (!member || isOver(member))) return;
  post(draft, { from: HUB, to, kind: replyTo === null ? 'notice' : 'reply', text, replyTo });
}

/** Sends a message of a member. Throws for unreachable recipients. */
export function sendFromMember(draft: Draft, sending: Sending): Message {
  const sender = requireBusy(draft, sending.from);
  refuseUnreadable(sending.text);
  const to = findRecipient(draft.members, sender, sending.to);
  return deliver(draft, { ...sending, to });
}

/** Sends a message of the operator to any active member. */
export function sendFromUser(draft: Draft, sending: Omit<Sending, 'from'>): Message {
  refuseUnreadable(sending.text);
  const member = draft.members.get(sending.to);
  if (!member || isOver(member)) {
    const state = member ? inWords(member.state) : 'is not part of the team';
    throw new ZooError('unreachable_member', `'${nameOf(draft.members, sending.to)}' ${state}.`);
  }
  return deliver(draft, { ...sending, from: USER });
}

function deliver(draft: Draft, { from, to, text, sync, replyTo }: Sending): Message {
  const asked = replyTo === null ? oldestOpen(draft, to, from) : askedMessage(draft, replyTo, from, to);
  const message = post(draft, {
    from,
    to,
    text,
    kind: asked || replyTo !== null ? 'reply' : 'message',
    replyTo: asked?.id ?? replyTo,
    sync,
    open: sync && from !== USER,
    deadline: sync && from !== USER ? draft.env.now + draft.team.limits.replyMs : null,
  });
  if (asked) markAnswered(draft, asked);
  const sender = draft.members.get(from);
  if (sender && !sender.sentTo.includes(to)) draft.setMember(from, { sentTo: [...sender.sentTo, to] });
  return message;
}

/** The sync message that a plain message back answers: one that its sender has seen. */
function oldestOpen(draft: Draft, asker: string, answerer: string): Message | undefined {
  return draft.findMessage(
    (message) =>
      message.open && message.from === asker && message.to === answerer && message.state !== 'queued',
  );
}

/** Undefined where it was answered already or has timed out. */
function askedMessage(draft: Draft, id: string, from: string, to: string): Message | undefined {
  const asked = draft.message(id);
  if (!asked) return undefined;
  if (asked.to === from && asked.from === to) return asked.open ? asked : undefined;
  throw new ZooError(
    'invalid_arguments',
    `reply_to: message '${id}' is not from '${nameOf(draft.members, to)}' to you.`,
  );
}

export function markAnswered(draft: Draft, asked: Message): void {
  const seen = asked.state === 'read';
  draft.setMessage(asked, { open: false, ...(seen ? { state: 'answered' as const } : {}) });
}

export interface Broadcast {
  id: string;
  recipients: number;
}

/** To all siblings; from the root, to its children. Each one's reply comes as a message of its own. */
export function broadcast(draft: Draft, from: string, text: string): Broadcast {
  const sender = requireBusy(draft, from);
  refuseUnreadable(text);
  const near =
    sender.parent === null
      ? childrenOf(draft.members, sender.id)
      : reachableFrom(draft.members, sender).filter(({ parent }) => parent === sender.parent);
  const recipients = near.filter((member) => !isOver(member));
  const id = draft.env.newId();
  draft.setMember(from, { sentTo: [...new Set([...sender.sentTo, ...recipients.map((each) => each.id)])] });
  for (const { id: to } of recipients) post(draft, { from, to, kind: 'message', text, broadcast: id });
  return { id, recipients: recipients.length };
}

/** Adds queued messages without a pending reply to the running turn. */
export function checkInbox(draft: Draft, member: string): Message[] {
  const { turn } = requireBusy(draft, member);
  return draft.messages
    .filter(
      (message) =>
        message.to === member && message.state === 'queued' && !message.sync && message.kind !== 'reply',
    )
    .map((message) => draft.setMessage(message, { state: 'delivered', turn, via: 'inbox' }));
}

/** Why a member reads no more: words of the hub, and words of the member or its process. */
export interface Ending {
  why: string;
  said: string | null;
}

/** A sentence of the hub. In prompts, the words of others are fenced, or a member could speak as the hub. */
export function withQuote(sentence: string, { said }: Pick<Ending, 'said'>, to: string): string {
  if (said === null) return sentence;
  return `${sentence}\n${to === USER ? said : fence('quote', {}, said)}`;
}

/** Makes a dead letter of a message, and tells its sender. */
export function bury(draft: Draft, message: Message, ending: Ending): void {
  const { why, said } = ending;
  const recipient = nameOf(draft.members, message.to);
  const reason = said === null ? why : `${why}: ${said}`;
  draft.setMessage(message, { state: 'dead', open: false, reason });
  if (message.from === HUB) return;
  const waited = message.open ? ' No reply will come.' : '';
  const what = message.broadcast === null ? 'message' : 'broadcast';
  const sentence = `Your ${what} ${idForSender(message)} to ${recipient} was not delivered: ${why}.${waited}`;
  tell(draft, message.from, withQuote(sentence, ending, message.from), message.open ? message.id : null);
}

/** Tells the sender of a sync message that no reply will come. */
export function giveUp(draft: Draft, message: Message, ending: Ending): void {
  draft.setMessage(message, { open: false });
  const sentence = `No reply to message ${message.id}: ${ending.why}.`;
  tell(draft, message.from, withQuote(sentence, ending, message.from), message.id);
}

/** Throws unless a turn is running: tool calls of a member belong to a turn. */
export function requireBusy(draft: Draft, id: string): Member {
  const member = draft.members.get(id);
  if (member?.state === 'busy') return member;
  throw new ZooError(
    'conflict',
    `'${nameOf(draft.members, id)}' has no running turn; team tools are only available during a turn.`,
  );
}

function refuseUnreadable(text: string): void {
  if (text.trim() === '') throw new ZooError('invalid_arguments', 'text: must not be empty');
  refuseLong('message', text);
}

/** Whatever ends up in a prompt has a limit. */
export function refuseLong(what: 'message' | 'task' | 'result', text: string): void {
  if (text.length <= MOST_TEXT) return;
  throw new ZooError(
    'too_large',
    `The ${what} has ${text.length} characters; at most ${MOST_TEXT} are allowed. Put it into a file and send its path.`,
  );
}
