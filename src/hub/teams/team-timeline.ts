import { parse } from '../../contract/parsing/parse.ts';
import { TeamTimelineEntry } from '../../contract/team.ts';
import { nameOf } from '../../teams/state/reach.ts';
import type { TeamState } from '../../teams/state/team-state.ts';
import type { RecordedEntry, TeamStore } from '../../teams/team-store.ts';
import { iso, messageOf, turnOf } from './describe-team.ts';

/** A page of everything that happened in a team. Messages and turns are as they are now, `state` is as it was then. */
export async function timelineOf(
  store: TeamStore,
  { team, members }: TeamState,
  after: number,
  limit: number,
): Promise<{ entries: TeamTimelineEntry[]; next: number }> {
  const recorded = await store.history(team.id, after, limit);
  const idsOf = (type: RecordedEntry['type']): string[] => [
    ...new Set(recorded.filter((each) => each.type === type).map(({ subject }) => subject)),
  ];
  const [messages, turns] = await Promise.all([
    store.messagesById(idsOf('message')),
    store.turnsById(idsOf('turn')),
  ]);
  const describe = ({ seq, at, type, subject, state, reason }: RecordedEntry): object => {
    const base = { seq, at: iso(at), type, state };
    if (type === 'team') return base;
    if (type === 'member') return { ...base, member: nameOf(members, subject), reason };
    if (type === 'worktree') return { ...base, member: nameOf(members, subject) };
    const message = messages.get(subject);
    if (message) return { ...base, message: messageOf(message, members) };
    const turn = turns.get(subject);
    return turn ? { ...base, member: nameOf(members, turn.member), turn: turnOf(turn) } : base;
  };
  return {
    entries: recorded.map((entry) => parse(TeamTimelineEntry, describe(entry))),
    next: recorded.at(-1)?.seq ?? after,
  };
}
