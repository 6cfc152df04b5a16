import { ZooError } from '../../contract/errors.ts';
import { isOver, type Member } from '../../teams/state/team-state.ts';
import type { TeamActor } from '../../teams/team-actor.ts';
import type { Worktrees } from '../../teams/worktrees/worktrees.ts';

/** Merges or discards the work of a member, for the operator or its parent. */
export type SettleWorktree = (actor: TeamActor, member: Member, how: 'merged' | 'discarded') => Promise<void>;

/** A member that has not ended keeps its worktree after a merge, and continues to work in it. */
export function createSettleWorktree(worktrees: Worktrees): SettleWorktree {
  return async (actor, member, how) => {
    const above = actor.state().members.get(member.parent ?? '') ?? null;
    if (member.state === 'busy') {
      throw new ZooError('conflict', `'${member.name}' is busy. Wait until its turn has ended, or stop it.`);
    }
    if (how === 'merged') await worktrees.merge(member, above);
    else if (!isOver(member)) {
      throw new ZooError(
        'conflict',
        `'${member.name}' is ${member.state}. Stop it before you discard its work.`,
      );
    }
    if (!isOver(member)) return;
    await worktrees.remove(member, above);
    await actor.dispatch({ type: 'worktree', member: member.id, state: how });
  };
}
