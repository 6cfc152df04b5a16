import { ZooError } from '../../../contract/errors.ts';
import type { ToolCall, ToolResult } from '../../../contract/tool.ts';
import { childrenOf } from '../../../teams/state/reach.ts';
import type { Member } from '../../../teams/state/team-state.ts';
import type { TeamActor } from '../../../teams/team-actor.ts';

/** The caller of a team tool. Throws for callers that are not members, and for members that call too often. */
export type MemberCall = (call: ToolCall) => { actor: TeamActor; member: Member };

export const text = { type: 'string' };

/** Throws with the names of all children. */
export function childNamed(actor: TeamActor, member: Member, name: string): Member {
  const children = childrenOf(actor.state().members, member.id);
  const child = children.find((each) => each.name === name);
  if (child) return child;
  const names = children.map((each) => each.name).join(', ') || 'none';
  throw new ZooError('unreachable_member', `'${name}' is not a subagent of yours. Yours: ${names}.`);
}

export function answer(value: Record<string, unknown>, words?: string): ToolResult {
  return {
    content: [
      { type: 'text', text: JSON.stringify(value) },
      ...(words === undefined ? [] : [{ type: 'text' as const, text: words }]),
    ],
    structuredContent: value,
  };
}
