import { useHubQuery } from '../../data/queries.ts';
import { Empty, ErrorNote, Skeleton } from '../../kit/feedback.tsx';
import { formatCount } from '../../kit/numbers.ts';
import { WorkRow, WorkTable } from './work-table.tsx';

/** Calls of published tools and teams, each under the id with which its result is fetched. */
export function JobList() {
  const { data, error } = useHubQuery('listJobs', {});
  return (
    <>
      {error ? <ErrorNote error={error} /> : null}
      {data === undefined && !error ? <Skeleton lines={8} /> : null}
      {data?.jobs.length === 0 ? (
        <Empty title="No jobs yet" command="zoo publish AGENT">
          A call of a published tool is a job: if it takes long, its caller fetches the result later, after a
          restart too. A team is one as well.
        </Empty>
      ) : null}
      {data === undefined || data.jobs.length === 0 ? null : (
        <WorkTable label="Jobs" titles={['State', 'Tool or team', 'Agent', 'Asked by', 'Cost', 'When']}>
          {data.jobs.map(({ id, kind, name, agentId, state, caller, tokens, usd, createdAt }) => (
            <WorkRow
              key={id}
              link={{ to: kind === 'team' ? '/teams/$id' : '/runs/$id', params: { id } }}
              state={state}
              what={kind === 'team' ? `Team ${name}` : name}
              agent={agentId ?? 'a team'}
              askedBy={caller}
              usd={usd}
              cost={formatCount(tokens, 'token')}
              createdAt={createdAt}
            />
          ))}
        </WorkTable>
      )}
    </>
  );
}
