import { Plus, Search, Upload } from 'lucide-react';
import { Suspense, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { addActions } from '../../app/palette-actions.ts';
import { Creature } from '../../creature/creature.tsx';
import { useHubQuery, useKept } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { Empty, ErrorNote } from '../../kit/feedback.tsx';
import { SearchInput } from '../../kit/field.tsx';
import { formatCount } from '../../kit/numbers.ts';
import { Page } from '../../kit/page.tsx';
import { PlainSelect } from '../../kit/selects/plain-select.tsx';
import { lazyPart } from '../../kit/load-script.ts';
import { arrangeAgents, type Arrangement, sourceWords } from './arrange-agents.ts';
import { DropHint } from './import/drop-hint.tsx';
import type { ReadFiles } from './import/read-dropped.ts';
import { useFileDrop } from './import/use-file-drop.ts';
import { FirstSteps } from '../welcome/first-steps.tsx';
import { SpecimenGrid } from './specimen-grid.tsx';

/** Loaded when it is first opened. */
const NewAgentSheet = lazyPart(async () => ({
  default: (await import('./new-agent-sheet.tsx')).NewAgentSheet,
}));

const ImportSheet = lazyPart(async () => ({
  default: (await import('./import/import-sheet.tsx')).ImportSheet,
}));

/** Files that were dropped, or none yet if the sheet was opened by its button. */
type Importing = { dropped: ReadFiles | null };

const atFirst: Arrangement = { text: '', source: 'all', sort: 'name', group: 'none' };

/** All agents of the workspace, as a plate of specimens. */
export function ZooPage() {
  const agents = useHubQuery('listAgents', { tokens: true });
  const warnings = useWarnings();
  const all = useKept(agents.data)?.agents;
  const [arrangement, setArrangement] = useState(atFirst);
  const [isMaking, setMaking] = useState(false);
  const [importing, setImporting] = useState<Importing | null>(null);
  const isOver = useFileDrop((dropped) => setImporting({ dropped }));
  const wanted = useDeferredValue(arrangement);
  const groups = useMemo(() => arrangeAgents(all ?? [], wanted), [all, wanted]);
  useEffect(
    () =>
      addActions([
        { id: 'new agent', label: 'New agent', group: 'Actions', run: () => setMaking(true) },
        {
          id: 'import agents',
          label: 'Import agents',
          group: 'Actions',
          run: () => setImporting({ dropped: null }),
        },
      ]),
    [],
  );
  const make = (
    <>
      <Button icon={<Upload />} onClick={() => setImporting({ dropped: null })}>
        Import
      </Button>
      <Button look="primary" icon={<Plus />} onClick={() => setMaking(true)}>
        New agent
      </Button>
    </>
  );
  return (
    <Page wide title="Zoo" about={all === undefined ? '\u00a0' : aboutOf(all.length)} actions={make}>
      {agents.error ? <ErrorNote error={agents.error} /> : null}
      <FirstSteps />
      {all !== undefined && all.length > 0 ? <Toolbar value={arrangement} onChange={setArrangement} /> : null}
      {all === undefined ? <PlateSkeleton /> : null}
      {all?.length === 0 ? <NoAgents onMake={() => setMaking(true)} /> : null}
      {groups.length > 0 ? <SpecimenGrid groups={groups} warnings={warnings} /> : null}
      {all !== undefined && all.length > 0 && groups.length === 0 ? (
        <Empty
          title="No matching agents"
          action={<Button onClick={() => setArrangement(atFirst)}>Show all</Button>}
        >
          {arrangement.text === ''
            ? 'No agent comes from this source.'
            : `No name or description contains “${arrangement.text}”.`}
        </Empty>
      ) : null}
      <Suspense>
        {isMaking ? <NewAgentSheet open onClose={() => setMaking(false)} /> : null}
        {importing ? <ImportSheet dropped={importing.dropped} onClose={() => setImporting(null)} /> : null}
      </Suspense>
      {isOver ? <DropHint /> : null}
    </Page>
  );
}

const aboutOf = (count: number): string =>
  count === 0
    ? 'Create your first agent to get started.'
    : `${formatCount(count, 'agent')}, ready for every client on this machine.`;

interface ToolbarProps {
  value: Arrangement;
  onChange: (value: Arrangement) => void;
}

function Toolbar({ value, onChange }: ToolbarProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2 max-sm:[&>span]:grow max-sm:[&>span]:basis-32 max-sm:[&_select]:max-w-none">
      <SearchInput
        label="Search agents"
        placeholder="Search agents"
        icon={<Search />}
        value={value.text}
        onChange={(text) => onChange({ ...value, text })}
        className="w-full sm:w-72"
      />
      <PlainSelect
        label="Source"
        value={value.source}
        onChange={(source) => onChange({ ...value, source })}
        options={[
          { value: 'all', label: 'All sources' },
          { value: 'editor', label: sourceWords.editor },
          { value: 'toml', label: sourceWords.toml },
          { value: 'markdown', label: sourceWords.markdown },
          { value: 'lua', label: sourceWords.lua },
          { value: 'typescript', label: sourceWords.typescript },
        ]}
      />
      <PlainSelect
        label="Sort"
        value={value.sort}
        onChange={(sort) => onChange({ ...value, sort })}
        options={[
          { value: 'name', label: 'By name' },
          { value: 'changed', label: 'Recently changed' },
          { value: 'price', label: 'Most tokens' },
        ]}
      />
      <PlainSelect
        label="Group"
        value={value.group}
        onChange={(group) => onChange({ ...value, group })}
        options={[
          { value: 'none', label: 'Not grouped' },
          { value: 'source', label: 'Grouped by source' },
          { value: 'mode', label: 'Grouped by mode' },
        ]}
      />
    </div>
  );
}

function NoAgents({ onMake }: { onMake: () => void }) {
  return (
    <Empty
      title="The zoo is empty"
      picture={<Creature seed="specimen-2" size={140} mood="asleep" />}
      action={
        <Button look="primary" icon={<Plus />} onClick={onMake}>
          New agent
        </Button>
      }
      command="zoo agent create"
    >
      An agent is a persona with skills and tools. Define it once; use it in Claude Code, Cursor and every
      other MCP client.
    </Empty>
  );
}

function PlateSkeleton() {
  return (
    <div
      className="grid grid-cols-[repeat(auto-fill,minmax(236px,1fr))] gap-5"
      role="status"
      aria-label="Loading"
    >
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className="grid gap-3 py-4">
          <div className="skeleton size-26 rounded-full" />
          <div className="skeleton h-5 w-2/3" />
          <div className="skeleton h-4 w-full" />
        </div>
      ))}
    </div>
  );
}

/** How many warnings and errors the files of each agent have. */
function useWarnings(): ReadonlyMap<string, number> {
  const { data } = useHubQuery('listDiagnostics', {});
  return useMemo(() => {
    const counts = new Map<string, number>();
    for (const { agentId, severity } of data?.diagnostics ?? []) {
      if (agentId !== null && severity !== 'note') counts.set(agentId, (counts.get(agentId) ?? 0) + 1);
    }
    return counts;
  }, [data]);
}
