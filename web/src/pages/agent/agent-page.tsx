import { Outlet, useParams } from '@tanstack/react-router';
import { Creature } from '../../creature/creature.tsx';
import { useHubQuery } from '../../data/queries.ts';
import { ErrorNote, Skeleton } from '../../kit/feedback.tsx';
import { usePageTitle } from '../../kit/page.tsx';

/** The sheet of one agent. Its tabs are routes of their own, shown in the outlet. */
export function AgentPage() {
  const { id } = useParams({ from: '/agent/$id' });
  const agent = useHubQuery('getAgent', { id });
  usePageTitle(agent.data?.name ?? id);
  return (
    <div className="px-4 pt-5 sm:px-6">
      {agent.error ? <ErrorNote error={agent.error} /> : null}
      <div className="flex items-center gap-4">
        {agent.data ? <Creature seed={agent.data.appearanceSeed} size={64} /> : <Skeleton lines={1} />}
        <h1 className="font-serif text-xl">{agent.data?.name}</h1>
      </div>
      <Outlet />
    </div>
  );
}
