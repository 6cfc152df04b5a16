import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { RunState, RunSummary } from '../../../../src/contract/run.ts';
import { AgentFilter } from '../../agents/agent-filter.tsx';
import { useHubQuery, useKept } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { Badge, Empty, ErrorNote, Skeleton } from '../../kit/feedback.tsx';
import { formatAgo, formatCount, formatMoment, formatNumber } from '../../kit/numbers.ts';
import { Page } from '../../kit/page.tsx';
import { PlainSelect } from '../../kit/plain-select.tsx';
import { askedBy, formatUsd, runStates, tokensOf } from './run-words.ts';
import type { RunsSearch } from './runs-search.ts';

const PAGE = 100;
const MOST = 1000;
const columns =
  'grid-cols-[minmax(0,1fr)_7rem] md:grid-cols-[7rem_minmax(0,1fr)_minmax(0,10rem)_minmax(0,11rem)_7rem_7rem]';

/** Every run of an agent against a model: who asked, what it cost, how it ended. */
export function RunsPage() {
  const search = useSearch({ from: '/runs' });
  const navigate = useNavigate({ from: '/runs' });
  const change = (part: Partial<RunsSearch>): void => {
    void navigate({ search: (now) => ({ ...now, ...part }), replace: true });
  };
  const [limit, setLimit] = useState(PAGE);
  const { agent, state } = search;
  const { data, error } = useHubQuery('listRuns', {
    limit,
    ...(agent === undefined ? {} : { agent }),
    ...(state === undefined ? {} : { state }),
  });
  const shown = useKept(data);
  const isFiltered = agent !== undefined || state !== undefined;
  return (
    <Page title="Runs" about="Every run of an agent against a model, with what it was sent and what it cost.">
      {error ? <ErrorNote error={error} /> : null}
      <Filters search={search} onChange={change} />
      {shown === undefined && !error ? <Skeleton lines={8} /> : null}
      {shown?.runs.length === 0 && isFiltered ? (
        <Empty
          title="No matching runs"
          action={<Button onClick={() => change({ agent: undefined, state: undefined })}>Show all</Button>}
        >
          Change or clear the filters to see other runs.
        </Empty>
      ) : null}
      {shown?.runs.length === 0 && !isFiltered ? (
        <Empty title="No runs yet" command={'zoo run guide "What can you do?"'}>
          A chat, a call of a published tool and a task from another agent are runs. Each is kept here, step
          by step.
        </Empty>
      ) : null}
      {shown !== undefined && shown.runs.length > 0 ? (
        <>
          <RunTable runs={shown.runs} />
          <p className="flex items-center gap-3 pt-4 text-xs text-faint tabular">
            {formatNumber(shown.runs.length)} of {formatCount(shown.total, 'run')}
            {shown.total > shown.runs.length && limit < MOST ? (
              <Button small onClick={() => setLimit(Math.min(limit + PAGE, MOST))}>
                Show more
              </Button>
            ) : null}
          </p>
        </>
      ) : null}
    </Page>
  );
}

function RunTable({ runs }: { runs: readonly RunSummary[] }) {
  return (
    <div>
      <div
        aria-hidden="true"
        className={`sticky top-0 z-10 grid gap-4 border-b border-line-strong bg-paper px-2 py-2 text-xs text-faint max-md:hidden ${columns}`}
      >
        {['State', 'Prompt', 'Agent', 'Asked by', 'Cost', 'When'].map((title) => (
          <span key={title}>{title}</span>
        ))}
      </div>
      <ul aria-label="Runs">
        {runs.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </ul>
    </div>
  );
}

function RunRow({ run }: { run: RunSummary }) {
  const { id, state, prompt, agentId, usage, createdAt, steps } = run;
  const { word, tone } = runStates[state];
  return (
    <li>
      <Link
        to="/runs/$id"
        params={{ id }}
        className={`grid min-h-11 items-center gap-x-4 gap-y-1 border-b border-line px-2 py-2 text-sm -outline-offset-2 hover:bg-sheet ${columns}`}
      >
        <span className="max-md:order-2 max-md:justify-self-end">
          <Badge tone={tone}>{word}</Badge>
        </span>
        <span className="truncate" title={prompt}>
          {prompt === '' ? 'No prompt' : prompt}
        </span>
        <span className="truncate text-soft max-md:order-3">{agentId}</span>
        <span className="truncate text-xs text-soft max-md:hidden">{askedBy(run)}</span>
        <span
          className="text-xs text-soft tabular max-md:hidden"
          title={`${formatCount(tokensOf(usage), 'token')} in ${formatCount(steps, 'step')}`}
        >
          {formatUsd(usage.usd)}
        </span>
        <span
          className="text-xs text-faint max-md:order-4 max-md:justify-self-end"
          title={formatMoment(createdAt)}
        >
          {formatAgo(createdAt)}
        </span>
      </Link>
    </li>
  );
}

const stateNames = Object.keys(runStates).filter((name): name is RunState => name in runStates);

interface FiltersProps {
  search: RunsSearch;
  onChange: (part: Partial<RunsSearch>) => void;
}

function Filters({ search, onChange }: FiltersProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
      <AgentFilter value={search.agent} onChange={(agent) => onChange({ agent })} />
      <PlainSelect
        label="State"
        value={search.state ?? ''}
        options={[
          { value: '' as const, label: 'All states' },
          ...stateNames.map((value) => ({ value, label: runStates[value].word })),
        ]}
        onChange={(state) => onChange({ state: state === '' ? undefined : state })}
      />
    </div>
  );
}
