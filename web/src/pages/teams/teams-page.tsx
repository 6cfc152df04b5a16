import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useHubQuery } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { Badge, Empty, ErrorNote, Skeleton } from '../../kit/feedback.tsx';
import { formatAgo, formatMoment } from '../../kit/numbers.ts';
import { Page } from '../../kit/page.tsx';
import { lazyPart } from '../../kit/load-script.ts';
import { formatSpent, teamStates } from './team-words.ts';

const StartTeamSheet = lazyPart(async () => ({
  default: (await import('./start-team-sheet.tsx')).StartTeamSheet,
}));

/** The teams of this hub, newest first. */
export function TeamsPage() {
  const { data, error } = useHubQuery('listTeams', {});
  const [isStarting, setStarting] = useState(false);
  const start = (
    <Button look="primary" icon={<Plus />} onClick={() => setStarting(true)}>
      Start a team
    </Button>
  );
  return (
    <Page
      title="Teams"
      about="Agents that work together: each with a folder and a mailbox of its own."
      actions={data === undefined || data.teams.length === 0 ? undefined : start}
    >
      {error ? <ErrorNote error={error} /> : null}
      {data === undefined && !error ? <Skeleton lines={6} /> : null}
      {data?.teams.length === 0 ? (
        <Empty
          title="No teams yet"
          action={start}
          command={'zoo team start --harness claude --task "Review the last change"'}
        >
          The first member is the root. It can spawn others, hand them tasks and collect their answers, within
          the budget that you give it.
        </Empty>
      ) : null}
      {data === undefined || data.teams.length === 0 ? null : (
        <ul aria-label="Teams" className="border-t border-line">
          {data.teams.map(({ id, name, state, spent, createdAt }) => (
            <li key={id}>
              <Link
                to="/teams/$id"
                params={{ id }}
                className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-2 py-3 -outline-offset-2 hover:bg-sheet"
              >
                <span className="min-w-0 flex-1 basis-56 truncate font-serif text-lg">{name}</span>
                <Badge tone={teamStates[state].tone}>{teamStates[state].word}</Badge>
                <span className="text-sm text-soft tabular">{formatSpent(spent)}</span>
                <span className="w-28 text-right text-xs text-faint" title={formatMoment(createdAt)}>
                  {formatAgo(createdAt)}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <Suspense fallback={null}>
        {isStarting ? <StartTeamSheet onClose={() => setStarting(false)} /> : null}
      </Suspense>
    </Page>
  );
}
