import type { Budget } from '../../contract/call.ts';
import { renderPrompt } from '../prompt.ts';
import type { Draft } from './draft.ts';
import { endMember } from './membership.ts';
import { tell } from './mail.ts';
import { nameOf } from './reach.ts';
import {
  type Amounts,
  type BudgetLimit,
  isOver,
  type Member,
  type Message,
  NOTHING_SPENT,
  type TeamState,
  type Turn,
  type TurnActivity,
  USER,
} from './team-state.ts';

/** Keeps prompts readable; the rest waits for the next turn. */
const MOST_MESSAGES = 30;
const MOST_CHARACTERS = 200_000;

export interface TurnOutcome {
  /** `interrupted`: the hub ended, which is not the member's fault. */
  kind: 'ok' | 'failed' | 'interrupted';
  answer: string | null;
  error: string | null;
  activity: readonly TurnActivity[];
  spent: Pick<Amounts, 'tokens' | 'usd'>;
  /** Whether it used tools besides those of the team. */
  worked: boolean;
}

/** Members with something to read or to retry, those that have waited longest first. */
export function readyMembers({ team, members, messages, turns }: TeamState): string[] {
  if (team.state !== 'running') return [];
  const since = new Map<string, number>();
  const add = (id: string, at: number): void => {
    const member = members.get(id);
    if (member && member.state !== 'busy' && !isOver(member) && !since.has(id)) since.set(id, at);
  };
  for (const turn of turns.values()) if (turn.state === 'queued') add(turn.member, turn.startedAt);
  for (const { to, state, at } of messages.values()) if (state === 'queued') add(to, at);
  return [...since].toSorted(([, a], [, b]) => a - b).map(([id]) => id);
}

/** Starts the member's next turn, or retries its last one. False if there is nothing to do. */
export function startTurn(draft: Draft, id: string, session?: string): boolean {
  const member = draft.members.get(id);
  if (!member || isOver(member) || member.state === 'busy' || draft.team.state !== 'running') return false;
  const retried = member.turn === null ? undefined : draft.turn(member.turn);
  const messages = retried ? heldBy(draft, retried.id) : nextMessages(draft, id);
  if (!retried && messages.length === 0) return false;
  const spent =
    overBudget(member.spent, member.budget) ?? overBudget(draft.team.spent, draft.team.limits.budget);
  if (spent !== null) {
    endMember(draft, id, 'failed', `its budget is used up (${spent})`);
    return false;
  }
  const turn = draft.setTurn(
    retried ? { ...retried, state: 'running', startedAt: draft.env.now } : newTurn(draft, member, messages),
  );
  for (const message of messages) {
    draft.setMessage(message, { state: 'delivered', turn: turn.id, via: 'prompt' });
  }
  draft.setMember(id, {
    state: 'busy',
    turn: turn.id,
    result: null,
    sentTo: [],
    ...(session === undefined ? {} : { session }),
    ...(retried ? {} : { spent: { ...member.spent, turns: member.spent.turns + 1 } }),
  });
  if (!retried) draft.setTeam({ spent: { ...draft.team.spent, turns: draft.team.spent.turns + 1 } });
  draft.effects.push({ type: 'run-turn', member: id, turn: turn.id });
  return true;
}

function newTurn({ env, members }: Draft, member: Member, messages: readonly Message[]): Turn {
  const turn: Turn = {
    id: env.newId(),
    member: member.id,
    number: member.spent.turns + 1,
    state: 'running',
    failures: 0,
    interruptions: 0,
    prompt: null,
    answer: null,
    error: null,
    activity: [],
    spent: NOTHING_SPENT,
    startedAt: env.now,
    endedAt: null,
  };
  return { ...turn, prompt: renderPrompt({ members }, turn, messages, []) };
}

const heldBy = (draft: Draft, turn: string): Message[] =>
  draft.messages.filter((message) => message.turn === turn && message.state === 'queued');

function nextMessages(draft: Draft, to: string): Message[] {
  const waiting = draft.messages.filter((message) => message.to === to && message.state === 'queued');
  let characters = 0;
  return waiting.slice(0, MOST_MESSAGES).filter(({ text }, index) => {
    characters += text.length;
    return index === 0 || characters <= MOST_CHARACTERS;
  });
}

function overBudget(spent: Amounts, budget: BudgetLimit): string | null {
  for (const unit of ['tokens', 'usd', 'turns'] as const) {
    const most = budget[unit];
    if (most !== undefined && spent[unit] >= most) return `${spent[unit]} of ${most} ${unit}`;
  }
  return null;
}

/** What a member may still spend: the least of its own budget and that of its team. */
export function remainingBudget({ team, members }: TeamState, id: string): Budget {
  const member = members.get(id);
  const left: Budget = {};
  for (const unit of ['tokens', 'usd'] as const) {
    const own = member?.budget[unit];
    const most = team.limits.budget[unit];
    const each = [
      ...(own === undefined ? [] : [own - (member?.spent[unit] ?? 0)]),
      ...(most === undefined ? [] : [most - team.spent[unit]]),
    ];
    if (each.length > 0) left[unit] = Math.max(0, Math.min(...each));
  }
  return left;
}

/** Does nothing for a turn that is over: its member was stopped meanwhile. */
export function endTurn(draft: Draft, id: string, outcome: TurnOutcome): void {
  const turn = draft.turn(id);
  const member = turn && draft.members.get(turn.member);
  if (!turn || turn.state !== 'running' || !member) return;
  const spent = { ...outcome.spent, turns: 0 };
  const ended: Turn = {
    ...turn,
    answer: outcome.answer,
    error: outcome.error,
    activity: [...outcome.activity],
    spent: add(turn.spent, spent),
    endedAt: draft.env.now,
  };
  draft.setMember(member.id, { spent: add(member.spent, spent) });
  draft.setTeam({ spent: add(draft.team.spent, spent) });
  if (outcome.kind === 'ok') return finish(draft, ended, outcome.worked);
  retry(draft, ended, outcome);
}

const add = (a: Amounts, b: Amounts): Amounts => ({
  tokens: a.tokens + b.tokens,
  usd: a.usd + b.usd,
  turns: a.turns + b.turns,
});

function finish(draft: Draft, turn: Turn, worked: boolean): void {
  draft.setTurn({ ...turn, state: 'ok' });
  const held = draft.messages.filter((message) => message.turn === turn.id && message.state === 'delivered');
  for (const message of held) {
    const answered = message.sync && !message.open;
    draft.setMessage(message, { state: answered ? 'answered' : 'read' });
  }
  const member = draft.setMember(turn.member, { turn: null });
  if (member.result !== null) return endMember(draft, member.id, 'done', null);
  draft.setMember(member.id, { state: restingState(draft, member.id) });
  noteBounce(draft, member, held, worked);
}

/** The messages go back to the queue: first with the same turn, finally as dead letters. */
function retry(draft: Draft, turn: Turn, { kind, error }: TurnOutcome): void {
  const { retries, interruptions } = draft.team.limits;
  const failed: Turn = {
    ...turn,
    failures: turn.failures + (kind === 'failed' ? 1 : 0),
    interruptions: turn.interruptions + (kind === 'interrupted' ? 1 : 0),
  };
  for (const message of draft.messages) {
    if (message.turn === turn.id && message.state === 'delivered') {
      draft.setMessage(message, { state: 'queued' });
    }
  }
  if (failed.failures > retries || failed.interruptions > interruptions) {
    draft.setTurn({ ...failed, state: 'queued' });
    const times = failed.failures + failed.interruptions;
    return endMember(
      draft,
      turn.member,
      'failed',
      `its turn failed ${times} times: ${error ?? 'unknown reason'}`,
    );
  }
  draft.setTurn({ ...failed, state: 'queued', endedAt: null });
  draft.setMember(turn.member, { state: restingState(draft, turn.member), result: null });
}

/** The state of a member that runs no turn: 'waiting' while a reply is due. */
const restingState = (draft: Draft, id: string): 'waiting' | 'idle' =>
  draft.findMessage((message) => message.open && message.from === id) ? 'waiting' : 'idle';

/** Two members that only answer each other, and do nothing else, would go on for ever. */
function noteBounce(draft: Draft, member: Member, held: readonly Message[], worked: boolean): void {
  const peers = new Set([...held.map(({ from }) => from), ...member.sentTo]);
  const [peer] = peers;
  const other = peer === undefined ? undefined : draft.members.get(peer);
  if (worked || !other || peers.size !== 1 || member.sentTo.length === 0 || held.length === 0) {
    if (member.bounce) draft.setMember(member.id, { bounce: null });
    return;
  }
  const count = (other.bounce?.peer === member.id ? other.bounce.count : 0) + 1;
  draft.setMember(member.id, { bounce: { peer: other.id, count } });
  if (count >= draft.team.limits.bounces) stopBoth(draft, member, other, count);
}

function stopBoth(draft: Draft, a: Member, b: Member, count: number): void {
  const reason = `${a.name} and ${b.name} only sent each other messages, ${count} turns in a row`;
  endMember(draft, a.id, 'stopped', reason);
  endMember(draft, b.id, 'stopped', reason);
  // The parents of others are told as of every member that ends.
  if (a.parent === null || b.parent === null) tell(draft, USER, `Stopped: ${reason}.`);
}

/** Sync messages without a reply in time. */
export function expireReplies(draft: Draft): void {
  for (const message of draft.messages) {
    if (!message.open || message.deadline === null || message.deadline > draft.env.now) continue;
    const minutes = Math.round((message.deadline - message.at) / 6_000) / 10;
    draft.setMessage(message, { open: false });
    tell(
      draft,
      message.from,
      `No reply from ${nameOf(draft.members, message.to)} to message ${message.id} within ${minutes} minutes. It may still answer later.`,
      message.id,
    );
  }
}

/** When the next reply is due; null if nobody waits for one. */
export function nextDeadline({ messages }: TeamState): number | null {
  let due = Infinity;
  for (const { open, deadline } of messages.values()) {
    if (open && deadline !== null && deadline < due) due = deadline;
  }
  return due === Infinity ? null : due;
}
