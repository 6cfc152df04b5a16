import { Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { KnowledgeSource } from '../../../../../src/contract/knowledge.ts';
import { useHubQuery, useKept } from '../../../data/queries.ts';
import { Button } from '../../../kit/button.tsx';
import { Checkbox } from '../../../kit/choice.tsx';
import { Badge, ErrorNote, Skeleton } from '../../../kit/feedback.tsx';
import { formatCount } from '../../../kit/numbers.ts';
import { Segments } from '../../../kit/segments.tsx';
import { lazyPart } from '../../../kit/load-script.ts';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { AskDocuments } from './ask-documents.tsx';
import { ContextQueries } from './context-queries.tsx';

const AddSourceSheet = lazyPart(async () => ({
  default: (await import('../../knowledge/add-source-sheet.tsx')).AddSourceSheet,
}));

/** What the agent knows: its sources, the questions whose answers are in its prompt, and a question to try. */
export function KnowledgeTab() {
  const listed = useHubQuery('listSources', {});
  const sources = useKept(listed.data)?.sources;
  return (
    <div className="mx-auto grid grid-cols-[minmax(0,1fr)] max-w-4xl gap-10 px-4 py-6 sm:px-6">
      {listed.error ? <ErrorNote error={listed.error} /> : null}
      {sources === undefined ? <Skeleton lines={5} /> : <Sources sources={sources} />}
      <ContextQueries sources={sources ?? []} />
      <AskDocuments />
    </div>
  );
}

function Sources({ sources }: { sources: readonly KnowledgeSource[] }) {
  const { draft, set, canEdit } = useAgentDraft();
  const [isAdding, setAdding] = useState(false);
  const bound = draft.sources;
  const names = (source: KnowledgeSource): string[] => [source.id, source.name, source.type];
  const isBound = (source: KnowledgeSource): boolean =>
    bound === null || names(source).some((name) => bound.includes(name));
  const missing = (bound ?? []).filter((entry) => !sources.some((source) => names(source).includes(entry)));
  const toggle = (source: KnowledgeSource, on: boolean): void => {
    const others = (bound ?? []).filter((entry) => !names(source).includes(entry));
    set('sources', on ? [...others, source.id] : others);
  };
  return (
    <section aria-labelledby="sources" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="sources" className="font-serif text-lg">
          Sources
        </h2>
        <Button small icon={<Plus />} onClick={() => setAdding(true)}>
          Add a source
        </Button>
      </div>
      {canEdit ? (
        <div>
          <Segments
            label="Which sources"
            value={bound === null ? 'all' : 'some'}
            options={[
              { value: 'all', label: 'All of the workspace' },
              { value: 'some', label: 'Only chosen ones' },
            ]}
            onChange={(next) => set('sources', next === 'all' ? null : sources.map(({ id }) => id))}
          />
        </div>
      ) : null}
      <p className="text-sm text-soft">
        {bound === null
          ? 'The agent can search and read every source that its caller can see, including ones added later.'
          : 'The agent can search and read only these, whoever calls it.'}
      </p>
      <ul className="border-t border-line">
        {sources.map((source) => (
          <li
            key={source.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 text-sm"
          >
            {bound === null ? (
              <span className="font-medium">{source.name}</span>
            ) : (
              <Checkbox
                label={source.name}
                checked={isBound(source)}
                disabled={!canEdit}
                onChange={(on) => toggle(source, on)}
              />
            )}
            <span className="font-mono text-xs text-faint">{source.id}</span>
            {source.configured ? null : <Badge tone="amber">Needs approval</Badge>}
            {source.healthy ? null : <Badge tone="danger">Failed</Badge>}
            <span className="ml-auto text-xs text-soft tabular">
              {formatCount(source.documents, 'document')}, {formatCount(source.tokens, 'token')}
            </span>
          </li>
        ))}
        {missing.map((entry) => (
          <li key={entry} className="flex items-center gap-3 border-b border-line py-2 text-sm">
            <Checkbox
              label={<span className="font-mono">{entry}</span>}
              checked
              disabled={!canEdit}
              onChange={() =>
                set(
                  'sources',
                  (bound ?? []).filter((other) => other !== entry),
                )
              }
            />
            <Badge tone="amber">not configured here</Badge>
          </li>
        ))}
      </ul>
      {sources.length === 0 ? (
        <p className="text-sm text-soft">No sources yet: add a folder, a Git repository or a website.</p>
      ) : null}
      <Suspense fallback={null}>
        {isAdding ? <AddSourceSheet open onClose={() => setAdding(false)} /> : null}
      </Suspense>
    </section>
  );
}
