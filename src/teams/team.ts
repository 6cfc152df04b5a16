import { ZooError } from '../contract/errors.ts';
import { type Changes, Draft } from './state/draft.ts';
import {
  broadcast,
  checkInbox,
  refuseLong,
  requireBusy,
  sendFromMember,
  sendFromUser,
} from './state/mail.ts';
import { addMember, endMember, spawn } from './state/membership.ts';
import {
  type Effect,
  inWords,
  isOver,
  type MemberSpec,
  type Message,
  type StepEnv,
  type TeamState,
  USER,
} from './state/team-state.ts';
import { endTurn, expireReplies, startTurn, type TurnOutcome } from './state/turns.ts';

/** Everything that can happen to a team. Members are named by their ids, recipients of messages by their names. */
export type TeamEvent =
  | { type: 'add'; parent: string | null; spec: MemberSpec }
  | { type: 'spawn'; parent: string; spec: MemberSpec }
  | { type: 'send'; from: string; to: string; text: string; sync: boolean; replyTo: string | null }
  | { type: 'user-send'; to: string; text: string; replyTo: string | null }
  | { type: 'user-read'; messages: readonly string[] }
  | { type: 'broadcast'; from: string; text: string }
  | { type: 'check-inbox'; member: string }
  | { type: 'complete'; member: string; result: string }
  /** `session`: the native id of a session that was opened ahead. */
  | { type: 'start-turn'; member: string; session?: string | undefined }
  | { type: 'prompt'; turn: string; prompt: string }
  | { type: 'session'; member: string; session: string | null }
  | { type: 'end-turn'; turn: string; outcome: TurnOutcome }
  | { type: 'worktree'; member: string; state: 'merged' | 'discarded' }
  | { type: 'tick' }
  | { type: 'stop'; member: string; reason: string }
  | { type: 'pause' }
  | { type: 'resume' }
  | { type: 'redeliver'; message: Message };

/** The reply to the caller of an event. */
export interface StepAnswer {
  /** The id of the message, member or broadcast that was created. */
  id?: string;
  recipients?: number;
  messages?: readonly Message[];
  started?: boolean;
}

export interface Step {
  state: TeamState;
  changes: Changes;
  effects: readonly Effect[];
  answer: StepAnswer;
}

/**
 * The one place that decides anything about a team: (state, event) → (state, effects). It throws a `ZooError` for an
 * event that is refused. Store the changes before carrying out the effects.
 */
export function step(state: TeamState, event: TeamEvent, env: StepEnv): Step {
  const draft = new Draft(state, env);
  const answer = decide(draft, event);
  return { state: draft.state(), changes: draft.changes(), effects: draft.effects, answer };
}

function decide(draft: Draft, event: TeamEvent): StepAnswer {
  switch (event.type) {
    case 'add':
      return { id: addMember(draft, event.spec, parentOf(draft, event.parent), USER).id };
    case 'spawn':
      return { id: spawn(draft, event.parent, event.spec).id };
    case 'send':
      return { id: sendFromMember(draft, event).id };
    case 'user-send':
      return { id: sendFromUser(draft, { ...event, sync: false }).id };
    case 'broadcast': {
      const { id, recipients } = broadcast(draft, event.from, event.text);
      return { id, recipients };
    }
    case 'check-inbox':
      return { messages: checkInbox(draft, event.member) };
    case 'complete':
      requireBusy(draft, event.member);
      refuseLong('result', event.result);
      draft.setMember(event.member, { result: event.result });
      return {};
    case 'start-turn':
      return { started: startTurn(draft, event.member, event.session) };
    case 'redeliver':
      return redeliver(draft, event.message);
    case 'user-read':
    case 'prompt':
    case 'session':
    case 'end-turn':
    case 'worktree':
    case 'tick':
    case 'stop':
    case 'pause':
    case 'resume':
  }
  record(draft, event);
  return {};
}

type Recorded = Extract<
  TeamEvent,
  {
    type: 'user-read' | 'prompt' | 'session' | 'end-turn' | 'worktree' | 'tick' | 'stop' | 'pause' | 'resume';
  }
>;

/** Events that answer nothing. */
function record(draft: Draft, event: Recorded): void {
  switch (event.type) {
    case 'user-read':
      for (const id of event.messages) {
        const message = draft.message(id);
        if (message?.to === USER && message.state === 'queued') draft.setMessage(message, { state: 'read' });
      }
      return;
    case 'prompt': {
      const turn = draft.turn(event.turn);
      if (turn) draft.setTurn({ ...turn, prompt: event.prompt });
      return;
    }
    case 'session':
      draft.setMember(event.member, { session: event.session });
      return;
    case 'end-turn':
      return endTurn(draft, event.turn, event.outcome);
    case 'worktree': {
      const worktree = draft.members.get(event.member)?.worktree;
      if (worktree) draft.setMember(event.member, { worktree: { ...worktree, state: event.state } });
      return;
    }
    case 'tick':
      return expireReplies(draft);
    case 'stop':
      return endMember(draft, event.member, 'stopped', event.reason);
    case 'pause':
      if (draft.team.state === 'running') draft.setTeam({ state: 'paused' });
      return;
    case 'resume':
      if (draft.team.state === 'paused') draft.setTeam({ state: 'running' });
  }
}

function parentOf(draft: Draft, id: string | null) {
  if (id === null) return null;
  const parent = draft.members.get(id);
  if (parent && !isOver(parent)) return parent;
  throw new ZooError('member_not_found', `Member '${id}' is not part of the team, or its work is over.`);
}

/** A dead letter goes back to the queue. A member that failed is given another chance with it. */
function redeliver(draft: Draft, message: Message): StepAnswer {
  const member = draft.members.get(message.to);
  if (!member || member.state === 'done' || member.state === 'stopped') {
    throw new ZooError(
      'conflict',
      `${member ? `${member.name} ${inWords(member.state)}` : 'The recipient is gone'}; the message cannot be delivered again.`,
    );
  }
  if (message.state !== 'dead') {
    throw new ZooError('conflict', `Message '${message.id}' is ${message.state}; it is not a dead letter.`);
  }
  if (member.state === 'failed') draft.setMember(member.id, { state: 'idle', reason: null });
  if (member.parent === null && draft.team.state === 'failed') draft.setTeam({ state: 'running' });
  draft.setMessage(message, { state: 'queued', turn: null, via: null, reason: null });
  return { id: message.id };
}
