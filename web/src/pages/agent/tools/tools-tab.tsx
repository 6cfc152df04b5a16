import { Search } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import type { ToolDescriptor } from '../../../../../src/contract/tool.ts';
import { useHubQuery, useKept } from '../../../data/queries.ts';
import { Button } from '../../../kit/button.tsx';
import { Empty, ErrorNote, Skeleton } from '../../../kit/feedback.tsx';
import { SearchInput } from '../../../kit/field.tsx';
import { formatCount, formatNumber } from '../../../kit/numbers.ts';
import { groupTools } from '../../tools/group-tools.ts';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { grant, listOf, revoke } from './edit-scope.ts';
import { ScopeEntries } from './scope-entries.tsx';
import { ToolGroupRows } from './tool-group-rows.tsx';

/** The scope: which tools of the whole catalogue the agent may see and call. */
export function ToolsTab() {
  const { draft, agent, set, canEdit } = useAgentDraft();
  const [typed, setTyped] = useState('');
  const text = useDeferredValue(typed);
  const listed = useHubQuery('listTools', { tokens: true });
  const scope = useHubQuery('previewScope', { id: agent.id, body: { tools: draft.tools } });
  const servers = useKept(useHubQuery('listUpstreams', {}).data)?.upstreams;
  const tools = useKept(listed.data)?.tools;
  const preview = useKept(scope.data);
  const groups = useMemo(() => groupTools(tools ?? [], servers ?? [], text), [tools, servers, text]);
  const error = listed.error ?? scope.error;
  if (error) {
    return (
      <div className="p-6">
        <ErrorNote error={error} />
      </div>
    );
  }
  if (tools === undefined || preview === undefined) {
    return (
      <div className="p-6">
        <Skeleton lines={8} />
      </div>
    );
  }
  const reasons = new Map(preview.tools.map((each) => [each.name, each]));
  const shown = groups.flatMap((group) => group.tools);
  const granted = tools.filter(({ name }) => reasons.get(name)?.allowed === true);
  const change = (edit: typeof grant, meant: readonly ToolDescriptor[]): void => {
    const said =
      meant.length === 1
        ? undefined
        : `${edit === grant ? 'Granted' : 'Revoked'} ${formatCount(meant.length, 'tool')}.`;
    set('tools', edit(listOf(draft.tools, tools, preview), meant, preview), said);
  };
  return (
    <div className="mx-auto grid grid-cols-[minmax(0,1fr)] max-w-4xl gap-6 px-4 py-6 sm:px-6">
      <ScopeEntries preview={preview} granted={granted} />
      <div className="flex flex-wrap items-center gap-2">
        <SearchInput
          label="Search all tools"
          placeholder={`Search ${formatCount(tools.length, 'tool')}`}
          icon={<Search />}
          value={typed}
          onChange={setTyped}
          className="w-full sm:w-72"
        />
        <span role="status" className="text-xs text-faint tabular">
          {text === '' ? '' : `${formatNumber(shown.length)} found`}
        </span>
        {text === '' || shown.length === 0 || !canEdit ? null : (
          <span className="ml-auto flex gap-2">
            <Button small onClick={() => change(grant, shown)}>
              Grant all {formatNumber(shown.length)} shown
            </Button>
            <Button small onClick={() => change(revoke, shown)}>
              Revoke all shown
            </Button>
          </span>
        )}
      </div>
      {groups
        .filter((group) => group.tools.length > 0 || (text === '' && group.server !== null))
        .map((group) => (
          <ToolGroupRows
            // A search opens what it finds.
            key={`${group.key} ${text === ''}`}
            group={group}
            reasons={reasons}
            isSearch={text !== ''}
            disabled={!canEdit}
            onGrant={(meant) => change(grant, meant)}
            onRevoke={(meant) => change(revoke, meant)}
          />
        ))}
      {shown.length === 0 && text !== '' ? (
        <Empty title="Nothing found">No tool name or description matches “{text}”.</Empty>
      ) : null}
    </div>
  );
}
