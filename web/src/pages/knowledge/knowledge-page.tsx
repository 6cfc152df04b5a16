import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Search } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import type { KnowledgeSource } from '../../../../src/contract/knowledge.ts';
import { useHubQuery, useKept } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorNote } from '../../kit/feedback.tsx';
import { SearchInput } from '../../kit/field.tsx';
import { formatCount } from '../../kit/numbers.ts';
import { Page } from '../../kit/page.tsx';
import { PlainSelect } from '../../kit/selects/plain-select.tsx';
import { Segments } from '../../kit/segments.tsx';
import { lazyPart } from '../../kit/load-script.ts';
import { DocumentSheet } from './document-sheet.tsx';
import { type KnowledgeSearch, searchModes } from './knowledge-search.ts';
import { SearchResults } from './search-results.tsx';
import { SourceList } from './source-list.tsx';
import { SyncButton } from './sync-button.tsx';

const AddSourceSheet = lazyPart(async () => ({
  default: (await import('./add-source-sheet.tsx')).AddSourceSheet,
}));

/** How long after the last keystroke the hub is asked. */
const TYPING_MS = 120;

/** The documents that agents are grounded in: where they come from, and how they are found. */
export function KnowledgePage() {
  const search = useSearch({ from: '/knowledge' });
  const navigate = useNavigate({ from: '/knowledge' });
  const change = (part: Partial<KnowledgeSearch>, replace = true): void => {
    void navigate({ search: (now) => ({ ...now, ...part }), replace });
  };
  const [isAdding, setAdding] = useState(false);
  const sources = useHubQuery('listSources', {});
  const all = useKept(sources.data)?.sources;
  return (
    <Page
      title="Knowledge"
      about={aboutOf(all)}
      actions={all === undefined || all.length === 0 ? undefined : <Actions onAdd={() => setAdding(true)} />}
    >
      {sources.error ? <ErrorNote error={sources.error} /> : null}
      {all?.length === 0 ? null : <SearchBar search={search} sources={all ?? []} onChange={change} />}
      {search.q === undefined || all?.length === 0 ? (
        <SourceList sources={all} onAdd={() => setAdding(true)} />
      ) : (
        <SearchResults search={search} query={search.q} onOpen={(doc) => change({ doc }, false)} />
      )}
      <Suspense fallback={null}>
        {isAdding ? <AddSourceSheet open onClose={() => setAdding(false)} /> : null}
      </Suspense>
      <DocumentSheet id={search.doc} onClose={() => change({ doc: undefined }, false)} />
    </Page>
  );
}

function Actions({ onAdd }: { onAdd: () => void }) {
  return (
    <>
      <SyncButton what="all" label="Sync all" />
      <Button look="primary" icon={<Plus />} onClick={onAdd}>
        Add a source
      </Button>
    </>
  );
}

function aboutOf(sources: readonly KnowledgeSource[] | undefined): string {
  if (sources === undefined) return '\u00a0';
  if (sources.length === 0) return 'Documents that agents search, and cite in their answers.';
  const documents = sources.reduce((sum, source) => sum + source.documents, 0);
  return `${formatCount(documents, 'document')} from ${formatCount(sources.length, 'source')}. Agents search them the way you do here.`;
}

interface SearchBarProps {
  search: KnowledgeSearch;
  sources: readonly KnowledgeSource[];
  onChange: (part: Partial<KnowledgeSearch>) => void;
}

function SearchBar({ search, sources, onChange }: SearchBarProps) {
  const [text, setText] = useState(search.q ?? '');
  // Without vectors there is one way to search.
  const hasVectors = (useHubQuery('embedStatus', {}).data?.embedded ?? 0) > 0;
  useEffect(() => {
    const asked = text.trim() === '' ? undefined : text;
    if (asked === search.q) return undefined;
    const timer = setTimeout(() => onChange({ q: asked }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, search.q, onChange]);
  return (
    <div className="mb-5 flex flex-wrap items-center gap-2">
      <SearchInput
        label="Search documents"
        placeholder="Ask in your own words, or paste an error"
        icon={<Search />}
        value={text}
        onChange={setText}
        className="w-full sm:w-96"
      />
      {hasVectors ? (
        <Segments
          label="Search by"
          value={search.mode ?? 'hybrid'}
          options={searchModes}
          onChange={(mode) => onChange({ mode })}
        />
      ) : null}
      <PlainSelect
        label="Source"
        value={search.source ?? ''}
        options={[
          { value: '', label: 'All sources' },
          ...sources.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(source) => onChange({ source: source === '' ? undefined : source })}
      />
      <SearchInput
        label="Paths"
        placeholder="Paths, such as *.md"
        icon={<span className="font-mono text-xs">/</span>}
        value={search.path ?? ''}
        onChange={(path) => onChange({ path: path === '' ? undefined : path })}
        className="w-52"
      />
    </div>
  );
}
