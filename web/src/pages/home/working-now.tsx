import { Link } from '@tanstack/react-router';
import { MessageSquarePlus, Users } from 'lucide-react';
import { Creature } from '../../creature/creature.tsx';
import { useHubQuery } from '../../data/queries.ts';
import { buttonClass } from '../../kit/button.tsx';
import { Copyable } from '../../kit/copyable.tsx';
import { ErrorNote, Skeleton } from '../../kit/feedback.tsx';
import { formatAgo, formatCount } from '../../kit/numbers.ts';
import { isOver } from '../../runs/run-view.ts';
import { runStates } from '../runs/run-words.ts';

/** Runs and teams under way, as the creatures that do them. */
export function WorkingNow() {
  const { data, error } = useHubQuery('listRuns', { limit: 300 });
  const teams = useHubQuery('listTeams', {}).data?.teams ?? [];
  const agents = useHubQuery('listAgents', {}).data?.agents ?? [];
  const seedOf = (id: string): string => agents.find((agent) => agent.id === id)?.appearanceSeed ?? id;
  const runs = data?.runs.filter((run) => !isOver(run)) ?? [];
  const running = teams.filter(({ state }) => state === 'running');
  return (
    <section aria-labelledby="working">
      <h2 id="working" className="mb-2 font-serif text-xl">
        Running now
      </h2>
      {error ? <ErrorNote error={error} /> : null}
      {data === undefined && !error ? <Skeleton lines={3} /> : null}
      {data !== undefined && runs.length + running.length === 0 ? (
        <div className="grid justify-items-start gap-3">
          <p className="text-base text-soft">Nothing is running.</p>
          <div className="flex flex-wrap gap-2">
            <Link to="/chat" search={{}} className={buttonClass('primary')}>
              <MessageSquarePlus />
              Start a chat
            </Link>
            <Link to="/teams" className={buttonClass()}>
              <Users />
              Start a team
            </Link>
          </div>
          <div className="grid w-full grid-cols-1 gap-1.5 text-xs text-soft">
            In a terminal:
            <Copyable text={'zoo run guide "What can you do?"'} />
          </div>
        </div>
      ) : null}
      {runs.length + running.length === 0 ? null : (
        <ul className="border-t border-line">
          {runs.map(({ id, agentId, prompt, state, createdAt }) => (
            <li key={id}>
              <Link
                to="/runs/$id"
                params={{ id }}
                className="flex items-center gap-3 border-b border-line py-2.5 hover:bg-sheet"
              >
                <Creature
                  seed={seedOf(agentId)}
                  size={40}
                  mood={state === 'waiting' ? 'waiting' : 'working'}
                  name={agentId}
                />
                <span className="min-w-0 flex-1">
                  <span className="block truncate text-base">{prompt === '' ? agentId : prompt}</span>
                  <span className="block text-xs text-faint">
                    {agentId}, {runStates[state].word.toLowerCase()}, since {formatAgo(createdAt)}
                  </span>
                </span>
              </Link>
            </li>
          ))}
          {running.map(({ id, name, spent, createdAt }) => (
            <li key={id}>
              <Link
                to="/teams/$id"
                params={{ id }}
                className="flex items-center gap-3 border-b border-line py-2.5 hover:bg-sheet"
              >
                <Creature seed={name} size={40} mood="working" name={`Team ${name}`} />
                <span className="min-w-0 flex-1">
                  <span className="block truncate text-base">Team {name}</span>
                  <span className="block text-xs text-faint tabular">
                    {formatCount(spent.turns, 'turn')}, since {formatAgo(createdAt)}
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
