import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plug, Wrench } from 'lucide-react';
import { AgentFilter } from '../../agents/agent-filter.tsx';
import { Button, buttonClass } from '../../kit/button.tsx';
import { Checkbox } from '../../kit/choice.tsx';
import { Empty, ErrorNote, Skeleton } from '../../kit/feedback.tsx';
import { SearchInput } from '../../kit/field.tsx';
import { Page } from '../../kit/page.tsx';
import type { ActivitySearch } from './activity-search.ts';
import { CallList } from './call-list.tsx';
import { CallSheet } from './call-sheet.tsx';
import { ClientFilter } from './client-filter.tsx';
import { useCalls } from './use-calls.ts';

/** Every call of a tool, by whom, with what and how it ended. */
export function ActivityPage() {
  const search = useSearch({ from: '/activity' });
  const navigate = useNavigate({ from: '/activity' });
  const change = (part: Partial<ActivitySearch>): void => {
    void navigate({ search: (now) => ({ ...now, ...part }), replace: true });
  };
  const { calls, error, hasMore, loadMore } = useCalls(search);
  const { agent, tool, client, failed } = search;
  const isFiltered = [agent, tool, client, failed].some((value) => value !== undefined);
  const isEmpty = calls?.length === 0 && !isFiltered;
  return (
    <Page title="Activity" about="Tool calls by agents and clients, as they happen.">
      {error ? <ErrorNote error={error} /> : null}
      {isEmpty ? null : <Filters search={search} onChange={change} />}
      {calls === undefined ? <Skeleton lines={9} /> : null}
      {calls?.length === 0 && isFiltered ? (
        <Empty
          title="No matching calls"
          action={
            <Button
              onClick={() =>
                change({ agent: undefined, tool: undefined, client: undefined, failed: undefined })
              }
            >
              Show all
            </Button>
          }
        >
          Change or clear the filters to see other calls.
        </Empty>
      ) : null}
      {isEmpty ? (
        <Empty
          title="No calls yet"
          action={
            <Link to="/welcome" className={buttonClass('primary')}>
              <Plug /> Connect a client
            </Link>
          }
          command="zoo connect"
        >
          Each tool call of an agent or a client is listed here, with its arguments, duration and result.
        </Empty>
      ) : null}
      {calls !== undefined && calls.length > 0 ? (
        <CallList
          calls={calls}
          hasMore={hasMore}
          onMore={loadMore}
          onOpen={({ seq }) => change({ call: seq })}
        />
      ) : null}
      <CallSheet
        record={calls?.find(({ seq }) => seq === search.call)}
        onClose={() => change({ call: undefined })}
      />
    </Page>
  );
}

interface FiltersProps {
  search: ActivitySearch;
  onChange: (part: Partial<ActivitySearch>) => void;
}

function Filters({ search, onChange }: FiltersProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
      <SearchInput
        label="Tool"
        placeholder="Tool, such as github.create_issue"
        icon={<Wrench />}
        value={search.tool ?? ''}
        onChange={(tool) => onChange({ tool: tool === '' ? undefined : tool })}
        className="w-full sm:w-72"
      />
      <AgentFilter value={search.agent} onChange={(agent) => onChange({ agent })} />
      <ClientFilter value={search.client} onChange={(client) => onChange({ client })} />
      <Checkbox
        label="Failed only"
        checked={search.failed === true}
        onChange={(failed) => onChange({ failed: failed ? true : undefined })}
      />
    </div>
  );
}
