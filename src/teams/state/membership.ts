import { ZooError } from '../../contract/errors.ts';
import type { Draft } from './draft.ts';
import {
  bury,
  type Ending,
  giveUp,
  markAnswered,
  post,
  refuseLong,
  requireBusy,
  tell,
  withQuote,
} from './mail.ts';
import { childrenOf, refuseTakenName } from './reach.ts';
import {
  type BudgetLimit,
  inWords,
  isOver,
  type Member,
  type Message,
  type MemberSpec,
  NOTHING_SPENT,
  USER,
} from './team-state.ts';

/** Adds a member and hands it its task. `from` is who gave the task. */
export function addMember(
  draft: Draft,
  { instructions, ...spec }: MemberSpec,
  parent: Member | null,
  from: string,
): Member {
  const { limits } = draft.team;
  refuseTakenName(draft.members, parent, spec.name);
  refuseLong('task', instructions);
  const depth = parent ? parent.depth + 1 : 0;
  refuseOver('depth', depth, limits.depth);
  refuseOver('members', draft.members.size + 1, limits.members);
  if (parent) {
    const alive = childrenOf(draft.members, parent.id).filter((child) => !isOver(child));
    refuseOver('children', alive.length + 1, limits.children);
  }
  const member = draft.addMember({
    ...spec,
    id: draft.env.newId(),
    parent: parent?.id ?? null,
    depth,
    budget: { ...spec.budget, ...lowerOf(spec.budget, parent?.budget ?? {}) },
    state: 'idle',
    reason: null,
    session: null,
    turn: null,
    spent: NOTHING_SPENT,
    result: null,
    sentTo: [],
    bounce: null,
  });
  if (instructions !== '') post(draft, { from, to: member.id, kind: 'task', text: instructions });
  return member;
}

/** A child of a member that is in its turn. */
export function spawn(draft: Draft, parent: string, spec: MemberSpec): Member {
  const spawner = requireBusy(draft, parent);
  if (spawner.result !== null) {
    throw new ZooError('conflict', 'You have completed your task; spawn agents before that.');
  }
  return addMember(draft, spec, spawner, spawner.id);
}

const WORDS = {
  depth: 'levels of members below the root',
  members: 'members in a team',
  children: 'running children of one member',
};

function refuseOver(limit: keyof typeof WORDS, asked: number, most: number): void {
  if (asked <= most) return;
  throw new ZooError('budget_exceeded', `At most ${most} ${WORDS[limit]} are allowed.`, { limit, most });
}

/** A child's budget is never more than what its parent has. */
function lowerOf(asked: BudgetLimit, parents: BudgetLimit): BudgetLimit {
  const least: BudgetLimit = {};
  for (const unit of ['tokens', 'usd', 'turns'] as const) {
    const most = parents[unit];
    if (most !== undefined) least[unit] = Math.min(asked[unit] ?? most, most);
  }
  return least;
}

/** Ends a member and everything below it. Messages it has not read become dead letters, and their senders are told. */
export function endMember(
  draft: Draft,
  id: string,
  state: 'done' | 'failed' | 'stopped',
  reason: string | null,
): void {
  const before = draft.members.get(id);
  if (!before || isOver(before)) return;
  const turn = before.turn === null ? undefined : draft.turn(before.turn);
  const member = draft.setMember(id, { state, reason, turn: null });
  if (turn) {
    draft.setTurn({
      ...turn,
      state: state === 'failed' ? 'failed' : 'cancelled',
      error: turn.error ?? reason,
      endedAt: draft.env.now,
    });
    if (turn.state === 'running') draft.effects.push({ type: 'cancel-turn', member: id, turn: turn.id });
  }
  for (const child of childrenOf(draft.members, id)) {
    endMember(draft, child.id, 'stopped', `its parent ${before.name} ${inWords(state)}`);
  }
  const answered = settleMail(draft, member);
  draft.effects.push({ type: 'end-session', member: id });
  if (member.parent === null) announceRoot(draft, member, state);
  else if (!answered.has(member.parent)) tellParent(draft, member, member.parent);
}

/** Returns those whose sync messages were answered with the result. */
function settleMail(draft: Draft, member: Member): Set<string> {
  const answered = new Set<string>();
  const { id, state, result } = member;
  const ending = endingOf(member);
  for (const message of draft.messages) {
    if (message.from === id && message.open) draft.setMessage(message, { open: false });
    if (message.to !== id) continue;
    const current = draft.message(message.id);
    if (!current) continue;
    if (current.state === 'read' && current.open) {
      if (state === 'done' && result !== null) {
        answerWith(draft, current, result);
        answered.add(current.from);
      } else giveUp(draft, current, ending);
    } else if (current.state !== 'read') {
      bury(draft, current, ending);
    }
  }
  return answered;
}

/** The result of a member that is done; otherwise the reason, which may quote the output of its process. */
const endingOf = ({ name, state, result, reason }: Member): Ending => ({
  why: `${name} ${inWords(state)}`,
  said: state === 'done' ? result : reason,
});

function answerWith(draft: Draft, asked: Message, result: string): void {
  markAnswered(draft, asked);
  const asker = draft.members.get(asked.from);
  if (asked.from !== USER && (!asker || isOver(asker))) return;
  post(draft, { from: asked.to, to: asked.from, kind: 'reply', text: result, replyTo: asked.id });
}

function announceRoot(draft: Draft, member: Member, state: 'done' | 'failed' | 'stopped'): void {
  const { id, name, reason, result } = member;
  draft.setTeam({ state });
  if (state === 'done' && result !== null) post(draft, { from: id, to: USER, kind: 'message', text: result });
  if (state === 'failed') tell(draft, USER, `${name}, the root of the team, failed: ${reason ?? 'unknown'}.`);
}

function tellParent(draft: Draft, member: Member, parent: string): void {
  const { id, name, state, result } = member;
  const above = draft.members.get(parent);
  if (!above || isOver(above)) return;
  if (state === 'done' && result !== null) {
    const text = `${name} has completed its task:\n${result}`;
    post(draft, { from: id, to: parent, kind: 'message', text });
  } else {
    const ending = endingOf(member);
    tell(draft, parent, withQuote(`${ending.why}.`, ending, parent));
  }
}
