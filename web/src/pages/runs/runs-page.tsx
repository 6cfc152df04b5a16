import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { RunState, RunSummary } from '../../../../src/contract/run.ts';
import { AgentFilter } from '../../agents/agent-filter.tsx';
import { useHubQuery, useKept } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { Empty, ErrorNote, Skeleton } from '../../kit/feedback.tsx';
import { formatCount, formatNumber } from '../../kit/numbers.ts';
import { Page } from '../../kit/page.tsx';
import { PlainSelect } from '../../kit/selects/plain-select.tsx';
import { Segments } from '../../kit/segments.tsx';
import { JobList } from './job-list.tsx';
import { askedBy, runStates, tokensOf } from './run-words.ts';
import type { RunsSearch } from './runs-search.ts';
import { WorkRow, WorkTable } from './work-table.tsx';

const PAGE = 100;
const MOST = 1000;

/** Every run of an agent against a model, and the jobs that others come back for. */
export function RunsPage() {
  const search = useSearch({ from: '/runs' });
  const navigate = useNavigate({ from: '/runs' });
  const change = (part: Partial<RunsSearch>): void => {
    void navigate({ search: (now) => ({ ...now, ...part }), replace: true });
  };
  return (
    <Page
      title="Runs and jobs"
      about="Runs are what agents ask of models. Jobs are calls of published tools, and teams, whose results somebody may fetch later."
    >
      <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
        <Segments
          label="What is listed"
          value={search.show ?? 'runs'}
          options={[
            { value: 'runs', label: 'Runs' },
            { value: 'jobs', label: 'Jobs' },
          ]}
          onChange={(show) => change({ show: show === 'jobs' ? show : undefined })}
        />
        {search.show === 'jobs' ? null : <Filters search={search} onChange={change} />}
      </div>
      {search.show === 'jobs' ? <JobList /> : <Runs search={search} onChange={change} />}
    </Page>
  );
}

function Runs({ search: { agent, state }, onChange }: FiltersProps) {
  const [limit, setLimit] = useState(PAGE);
  const { data, error } = useHubQuery('listRuns', {
    limit,
    ...(agent === undefined ? {} : { agent }),
    ...(state === undefined ? {} : { state }),
  });
  const shown = useKept(data);
  const isFiltered = agent !== undefined || state !== undefined;
  return (
    <>
      {error ? <ErrorNote error={error} /> : null}
      {shown === undefined && !error ? <Skeleton lines={8} /> : null}
      {shown?.runs.length === 0 && isFiltered ? (
        <Empty
          title="No matching runs"
          action={<Button onClick={() => onChange({ agent: undefined, state: undefined })}>Show all</Button>}
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
          <WorkTable label="Runs" titles={['State', 'Prompt', 'Agent', 'Asked by', 'Cost', 'When']}>
            {shown.runs.map((run) => (
              <RunRow key={run.id} run={run} />
            ))}
          </WorkTable>
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
    </>
  );
}

function RunRow({ run }: { run: RunSummary }) {
  const { id, state, prompt, agentId, usage, createdAt, steps } = run;
  return (
    <WorkRow
      link={{ to: '/runs/$id', params: { id } }}
      state={state}
      what={prompt === '' ? 'No prompt' : prompt}
      agent={agentId}
      askedBy={askedBy(run)}
      usd={usage.usd}
      cost={`${formatCount(tokensOf(usage), 'token')} in ${formatCount(steps, 'step')}`}
      createdAt={createdAt}
    />
  );
}

const stateNames = Object.keys(runStates).filter((name): name is RunState => name in runStates);

interface FiltersProps {
  search: RunsSearch;
  onChange: (part: Partial<RunsSearch>) => void;
}

function Filters({ search, onChange }: FiltersProps) {
  return (
    <>
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
    </>
  );
}
