import { Link } from '@tanstack/react-router';
import type { TeamMember } from '../../../../src/contract/team.ts';

interface MemberGroupsProps {
  teamId: string;
  members: readonly TeamMember[];
  /** Members that wait for an answer of a person. */
  asking: ReadonlySet<string>;
}

/** Who needs somebody, who works, who is done: a large team at a glance. */
export function MemberGroups({ teamId, members, asking }: MemberGroupsProps) {
  const groups = [
    { title: 'Needs you', holds: ({ id, state }: TeamMember) => asking.has(id) || state === 'failed' },
    { title: 'Working', holds: ({ state }: TeamMember) => state === 'busy' || state === 'waiting' },
    { title: 'Idle', holds: ({ state }: TeamMember) => state === 'idle' },
    { title: 'Done', holds: ({ state }: TeamMember) => state === 'done' || state === 'stopped' },
  ];
  if (members.length < 2) return null;
  const groupOf = new Map(members.map((member) => [member, groups.find(({ holds }) => holds(member))]));
  return (
    <ul aria-label="At a glance" className="mb-3 grid px-2 text-sm">
      {groups.map((group) => {
        const held = members.filter((member) => groupOf.get(member) === group);
        return held.length === 0 ? null : (
          <li key={group.title} className="flex gap-x-3">
            <span className="w-18 shrink-0 py-0.5 text-soft">{group.title}</span>
            <span className="flex min-w-0 flex-wrap gap-x-2">
              {held.map(({ id, name }) => (
                <Link
                  key={id}
                  to="/teams/$id"
                  params={{ id: teamId }}
                  search={{ member: name }}
                  className="min-w-6 py-0.5 underline-offset-3 hover:underline"
                >
                  {name}
                </Link>
              ))}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
