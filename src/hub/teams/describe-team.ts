import type { TeamDetails, TeamMember, TeamMessage, TeamSummary, TeamTurn } from '../../contract/team.ts';
import { nameOf } from '../../teams/state/reach.ts';
import type { Member, Message, Team, TeamState, Turn } from '../../teams/state/team-state.ts';

export const iso = (at: number): string => new Date(at).toISOString();

export const summaryOf = ({ id, name, workspace, state, spent, createdAt }: Team): TeamSummary => ({
  id,
  name,
  workspace,
  state,
  spent,
  createdAt: iso(createdAt),
});

export const detailsOf = (state: TeamState): TeamDetails => ({
  ...summaryOf(state.team),
  members: [...state.members.values()].map((member) => memberOf(member, state)),
});

export function memberOf(member: Member, { members, messages }: TeamState): TeamMember {
  const { id, name, parent, role, harness, agentId, folder, worktree, state, reason, budget, spent } = member;
  return {
    id,
    name,
    parent: parent === null ? null : nameOf(members, parent),
    parentId: parent,
    role,
    harness,
    agentId,
    folder,
    worktree: worktree ? { branch: worktree.branch, state: worktree.state } : null,
    state,
    reason,
    budget,
    spent,
    unread: [...messages.values()].filter((each) => each.to === id && each.state === 'queued').length,
  };
}

export function messageOf(message: Message, members: TeamState['members']): TeamMessage {
  const { id, seq, from, to, kind, text, state, open, replyTo, broadcast, reason, at } = message;
  return {
    id,
    seq,
    from: nameOf(members, from),
    to: nameOf(members, to),
    kind,
    text,
    state,
    waitsForReply: open,
    replyTo,
    broadcast,
    reason,
    at: iso(at),
  };
}

export function turnOf(turn: Turn): TeamTurn {
  const { id, number, state, prompt, answer, error, activity, spent, startedAt, endedAt } = turn;
  return {
    id,
    number,
    state,
    prompt,
    answer,
    error,
    tools: activity.map(({ title }) => title),
    spent,
    startedAt: iso(startedAt),
    endedAt: endedAt === null ? null : iso(endedAt),
  };
}
