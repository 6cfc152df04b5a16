import { Link } from '@tanstack/react-router';
import type { TeamMember } from '../../../../src/contract/team.ts';
import { Creature } from '../../creature/creature.tsx';
import { Badge } from '../../kit/feedback.tsx';
import { formatCount } from '../../kit/numbers.ts';
import { formatSpent, memberStates } from './team-words.ts';
import { HubText } from '../../kit/hub-text/hub-text.tsx';

interface TeamTreeProps {
  teamId: string;
  members: readonly TeamMember[];
  /** Appearance seeds by agent id. */
  seeds: ReadonlyMap<string, string>;
  /** Members that wait for an answer of a person. */
  asking: ReadonlySet<string>;
  /** Sender and receiver of the message that is replayed. */
  lit: readonly string[];
}

/** Who works for whom, each as the creature that it is. */
export function TeamTree(props: TeamTreeProps) {
  const roots = props.members.filter(({ parentId }) => parentId === null);
  return (
    <ul aria-label="Members">
      {roots.map((member) => (
        <Branch key={member.id} member={member} {...props} />
      ))}
    </ul>
  );
}

function Branch({ member, ...rest }: TeamTreeProps & { member: TeamMember }) {
  const { teamId, members, seeds, asking, lit } = rest;
  const { id, name, agentId, role, harness, state, spent, unread, reason } = member;
  const below = members.filter(({ parentId }) => parentId === id);
  const { word, tone, mood } = memberStates[state];
  const isAsking = asking.has(id);
  return (
    <li>
      <Link
        to="/teams/$id"
        params={{ id: teamId }}
        search={{ member: name }}
        className={`flex items-center gap-3 rounded-md px-2 py-2 hover:bg-sheet ${lit.includes(name) ? 'bg-leaf-wash' : ''}`}
      >
        <Creature
          seed={agentId === null ? name : (seeds.get(agentId) ?? agentId)}
          size={44}
          mood={isAsking ? 'waiting' : mood}
          name={name}
        />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-x-2">
            <span className="truncate font-serif text-lg">{name}</span>
            <Badge tone={isAsking ? 'amber' : tone}>{isAsking ? 'Waits for you' : word}</Badge>
            {unread > 0 ? <Badge>{formatCount(unread, 'message')} unread</Badge> : null}
          </span>
          <span className="block truncate text-xs text-faint tabular">
            {[role === 'worker' ? null : role, agentId, harness, formatSpent(spent)]
              .filter(Boolean)
              .join(' · ')}
          </span>
          {reason === null ? null : (
            <span className={`block text-xs break-words ${state === 'failed' ? 'text-danger' : 'text-soft'}`}>
              <HubText>{reason}</HubText>
            </span>
          )}
        </span>
      </Link>
      {below.length === 0 ? null : (
        <ul className="ml-6 border-l border-line pl-2">
          {below.map((each) => (
            <Branch key={each.id} member={each} {...rest} />
          ))}
        </ul>
      )}
    </li>
  );
}
