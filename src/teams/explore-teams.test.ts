import { expect, test } from 'vitest';
import { campaignSize } from '../../test/campaign.ts';
import { ZooError } from '../contract/errors.ts';
import { isOver, type Member, type Message, type TeamState } from './state/team-state.ts';
import { nextDeadline, readyMembers } from './state/turns.ts';
import { newTeam, outcome, playOne } from './play-team.ts';
import type { Step, TeamEvent } from './team.ts';

/** A state on the way, with how many messages members may still send. */
interface Node {
  state: TeamState;
  now: number;
  messages: number;
}

interface Move {
  event: TeamEvent;
  /** How much of the allowance it takes. */
  cost: number;
  now: number;
}

test.each([
  { names: ['root', 'a'], messages: campaignSize(2, 3) },
  { names: ['root', 'a', 'b'], messages: campaignSize(1, 2) },
])(
  'no state of $names with $messages messages leaves a waiting member asleep',
  ({ names, messages }) => {
    const first = newTeam(names, { retries: 0, interruptions: 1, bounces: 99 });
    const start: Node = { ...first, messages };
    const seen = new Set([keyOf(start)]);
    const open = [start];
    for (let node = open.pop(); node; node = open.pop()) {
      for (const move of movesOf(node)) {
        const next = play(node, move);
        if (!next) continue;
        checkStep(node.state, next.step);
        checkState(next.node);
        const key = keyOf(next.node);
        if (seen.has(key)) continue;
        seen.add(key);
        open.push(next.node);
      }
    }
    expect(seen.size).toBeGreaterThan(500);
  },
  600_000,
);

function movesOf({ state, now, messages }: Node): Move[] {
  const moves: Move[] = readyMembers(state).map((member) => ({
    event: { type: 'start-turn', member },
    cost: 0,
    now,
  }));
  const due = nextDeadline(state);
  if (due !== null) moves.push({ event: { type: 'tick' }, cost: 0, now: Math.max(due, now) });
  for (const member of state.members.values()) {
    if (member.state !== 'busy' || member.turn === null) continue;
    const { id, turn } = member;
    const events: TeamEvent[] = [
      { type: 'check-inbox', member: id },
      ...(['ok', 'failed', 'interrupted'] as const).map((kind): TeamEvent => ({
        type: 'end-turn',
        turn,
        outcome: outcome(kind),
      })),
    ];
    if (member.parent !== null && member.result === null) {
      events.push({ type: 'complete', member: id, result: 'done' });
    }
    moves.push(...events.map((event) => ({ event, cost: 0, now })));
    if (messages === 0) continue;
    for (const other of state.members.values()) {
      if (other.id === id) continue;
      for (const sync of [true, false]) {
        const event = { type: 'send', from: id, to: other.name, text: 'x', sync, replyTo: null } as const;
        moves.push({ event, cost: 1, now });
      }
    }
  }
  return moves;
}

function play(node: Node, { event, cost, now }: Move): { node: Node; step: Step } | null {
  try {
    const step = playOne(node.state, event, now);
    return { step, node: { state: step.state, now, messages: node.messages - cost } };
  } catch (error) {
    // A refusal changes nothing; the recipient is over.
    if (error instanceof ZooError && error.code === 'unreachable_member') return null;
    throw error;
  }
}

/** Senders of dead letters are told, and no message vanishes. */
function checkStep(before: TeamState, { state, changes }: Step): void {
  for (const message of changes.messages.filter((each) => each.state === 'dead')) {
    const sender = state.members.get(message.from);
    if (!sender || isOver(sender)) continue;
    const told = changes.messages.some(
      (each) => each.to === message.from && each.from === 'hub' && each.text.includes(message.id),
    );
    if (!told) throw new Error(`${message.id} died in silence`);
  }
  for (const id of before.messages.keys()) {
    const isKnown = state.messages.has(id) || changes.messages.some((each) => each.id === id);
    if (!isKnown) throw new Error(`${id} vanished`);
  }
}

function checkState({ state, now }: Node): void {
  const { members, messages, turns } = state;
  for (const member of members.values()) {
    const turn = member.turn === null ? undefined : turns.get(member.turn);
    if (member.state === 'busy' && turn?.state !== 'running') throw new Error(`${member.name} has no turn`);
    if (isOver(member) && (member.turn !== null || mailOf(state, member).length > 0)) {
      throw new Error(`${member.name} is over and has work left`);
    }
    if (member.state === 'waiting') expectWake(state, member, now);
  }
  for (const message of messages.values()) {
    if (message.state !== 'delivered') continue;
    const holder = message.turn === null ? undefined : turns.get(message.turn);
    if (holder?.state !== 'running' || holder.member !== message.to) {
      throw new Error(`${message.id} is delivered outside of a turn`);
    }
  }
}

const mailOf = ({ messages }: TeamState, { id }: Member): Message[] =>
  [...messages.values()].filter((message) => message.to === id && message.state !== 'read');

/** Its mail wakes it now, or the deadline of a reply does. */
function expectWake(state: TeamState, member: Member, now: number): void {
  if (readyMembers(state).includes(member.id)) return;
  const due = nextDeadline(state);
  if (due === null) throw new Error(`${member.name} waits without a deadline`);
  let later = state;
  for (let at: number | null = due; at !== null; at = nextDeadline(later)) {
    later = playOne(later, { type: 'tick' }, Math.max(at, now)).state;
  }
  if (!readyMembers(later).includes(member.id)) throw new Error(`${member.name} sleeps for ever`);
}

/** Equal for states that differ in ids, times and amounts only. */
function keyOf({ state, messages }: Node): string {
  const names = new Map<string, number>();
  const short = (id: string | null): string => {
    if (id === null || !id.includes('#')) return String(id);
    if (!names.has(id)) names.set(id, names.size);
    return `~${names.get(id)}`;
  };
  const rows = [
    ...[...state.members.values()].map((member) => [
      short(member.id),
      member.state,
      short(member.turn),
      member.result,
    ]),
    ...[...state.messages.values()]
      .toSorted((a, b) => a.seq - b.seq)
      .map((each) => [
        short(each.from),
        short(each.to),
        each.kind,
        each.state,
        each.open,
        short(each.turn),
        each.sync,
      ]),
    ...[...state.turns.values()]
      .map((turn) => [short(turn.id), turn.state, turn.interruptions].join(' '))
      .toSorted(),
    messages,
  ];
  return JSON.stringify(rows);
}
