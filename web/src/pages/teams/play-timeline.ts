import type { TeamMember, TeamMessage, TeamTimelineEntry } from '../../../../src/contract/team.ts';

/** A team as it was at one moment. */
export interface TeamMoment {
  members: readonly TeamMember[];
  messages: readonly TeamMessage[];
  /** Members that the last change is about. */
  lit: readonly string[];
}

/** Plays entries of a timeline. Members that have not joined yet are left out. */
export function playTimeline(
  members: readonly TeamMember[],
  entries: readonly TeamTimelineEntry[],
): TeamMoment {
  const states = new Map<string, { state: TeamMember['state']; reason: string | null }>();
  const messages = new Map<string, TeamMessage>();
  for (const entry of entries) {
    if (entry.type === 'member') states.set(entry.member, { state: entry.state, reason: entry.reason });
    if (entry.type === 'message') messages.set(entry.message.id, { ...entry.message, state: entry.state });
  }
  const last = entries.at(-1);
  return {
    members: members.flatMap((member) => {
      const then = states.get(member.name) ?? states.get(member.id);
      return then ? [{ ...member, ...then, unread: 0 }] : [];
    }),
    messages: [...messages.values()].toSorted((a, b) => a.seq - b.seq),
    lit: last ? membersOf(last) : [],
  };
}

function membersOf(entry: TeamTimelineEntry): readonly string[] {
  if (entry.type === 'message') return [entry.message.from, entry.message.to];
  return entry.type === 'team' ? [] : [entry.member];
}
