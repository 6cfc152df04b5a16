import { useNavigate, useSearch } from '@tanstack/react-router';
import { Wrench } from 'lucide-react';
import { AgentFilter } from '../../agents/agent-filter.tsx';
import { Button } from '../../kit/button.tsx';
import { Checkbox } from '../../kit/choice.tsx';
import { Empty, ErrorNote, Skeleton } from '../../kit/feedback.tsx';
import { SearchInput } from '../../kit/field.tsx';
import { Page } from '../../kit/page.tsx';
import type { ActivitySearch } from './activity-search.ts';
import { CallList } from './call-list.tsx';
import { CallSheet } from './call-sheet.tsx';
import { useCalls } from './use-calls.ts';

/** Every call of a tool, by whom, with what and how it ended. */
export function ActivityPage() {
  const search = useSearch({ from: '/activity' });
  const navigate = useNavigate({ from: '/activity' });
  const change = (part: Partial<ActivitySearch>): void => {
    void navigate({ search: (now) => ({ ...now, ...part }), replace: true });
  };
  const { calls, error, hasMore, loadMore } = useCalls(search);
  const isFiltered = search.agent !== undefined || search.tool !== undefined || search.failed === true;
  return (
    <Page title="Activity" about="What agents and clients did with the tools of this hub, as it happens.">
      {error ? <ErrorNote error={error} /> : null}
      <Filters search={search} onChange={change} />
      {calls === undefined ? <Skeleton lines={9} /> : null}
      {calls?.length === 0 && isFiltered ? (
        <Empty
          title="No call matches"
          action={
            <Button onClick={() => change({ agent: undefined, tool: undefined, failed: undefined })}>
              Show all
            </Button>
          }
        >
          No call that the hub remembers fits these filters.
        </Empty>
      ) : null}
      {calls?.length === 0 && !isFiltered ? (
        <Empty title="Nothing has been called yet" command="zoo connect">
          Connect a client, and the first call of a tool appears here within two seconds.
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
      <Checkbox
        label="Failed only"
        checked={search.failed === true}
        onChange={(failed) => onChange({ failed: failed ? true : undefined })}
      />
    </div>
  );
}
