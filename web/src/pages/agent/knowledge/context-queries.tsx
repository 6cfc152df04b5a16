import { Plus, Trash2 } from 'lucide-react';
import type { ContextQuery } from '../../../../../src/contract/agent.ts';
import type { KnowledgeSource } from '../../../../../src/contract/knowledge.ts';
import type { PromptPreview } from '../../../../../src/contract/resolved.ts';
import { useHubQuery, useKept } from '../../../data/queries.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { Badge, ErrorNote } from '../../../kit/feedback.tsx';
import { TextInput } from '../../../kit/field.tsx';
import { formatAgo, formatCount, formatDecimal, formatNumber } from '../../../kit/numbers.ts';
import { PlainSelect } from '../../../kit/selects/plain-select.tsx';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { useTryValues } from '../truth/try-values.ts';
import { usePreview } from '../truth/use-preview.ts';
import { searchIn } from './search-in.ts';

type Part = PromptPreview['parts'][number];

/** Questions that are asked on every resolve. Their best passages go into the prompt, as far as the budget goes. */
export function ContextQueries({ sources }: { sources: readonly KnowledgeSource[] }) {
  const { draft, set, canEdit } = useAgentDraft();
  const { now } = usePreview();
  const parts = now?.parts.filter(({ kind }) => kind === 'context') ?? [];
  const used = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  const change = (index: number, next: ContextQuery | null): void =>
    set(
      'context',
      draft.context.flatMap((old, at) => (at === index ? (next ?? []) : [old])),
      next === null ? 'Removed the query.' : undefined,
    );
  return (
    <section aria-labelledby="queries" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="queries" className="font-serif text-lg">
          Context queries
        </h2>
        {canEdit ? (
          <Button
            small
            icon={<Plus />}
            onClick={() => set('context', [...draft.context, { query: 'What matters most here?', limit: 3 }])}
          >
            Add query
          </Button>
        ) : null}
      </div>
      <p className="text-sm text-soft tabular">
        Searched each time the agent is used, so that the prompt contains current documents.{' '}
        {draft.context.length === 0 && parts.length === 0
          ? ''
          : `${formatCount(parts.length, 'document')} in the prompt now, ${formatCount(used, 'token')}${draft.contextTokens === null ? '' : ` of at most ${formatNumber(draft.contextTokens)}`}.`}
      </p>
      <ol className="grid gap-6">
        {draft.context.map((entry, index) => (
          <Query
            key={index}
            entry={entry}
            sources={sources}
            parts={parts}
            disabled={!canEdit}
            onChange={(next) => change(index, next)}
          />
        ))}
      </ol>
    </section>
  );
}

interface QueryProps {
  entry: ContextQuery;
  sources: readonly KnowledgeSource[];
  /** What is in the prompt. */
  parts: readonly Part[];
  disabled: boolean;
  onChange: (next: ContextQuery | null) => void;
}

function Query({ entry, sources, parts, disabled, onChange }: QueryProps) {
  const { query, limit = 5, source, ...rest } = entry;
  return (
    <li className="grid gap-2 border-l-2 border-line pl-4">
      <div className="flex flex-wrap items-center gap-2">
        <TextInput
          aria-label="Question"
          className="min-w-48 flex-1 basis-64"
          value={query}
          disabled={disabled}
          onChange={({ target }) => {
            // An empty question is not a valid one: it is removed by its own button.
            if (target.value !== '') onChange({ ...entry, query: target.value });
          }}
        />
        <PlainSelect
          label="Source"
          value={source ?? ''}
          options={[
            { value: '', label: 'Its sources' },
            ...sources.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(next) => onChange({ ...rest, query, limit, ...(next === '' ? {} : { source: next }) })}
        />
        <PlainSelect
          label="At most"
          value={String(limit)}
          options={['1', '2', '3', '5', '8', '12', '20', String(limit)]
            .filter((each, index, all) => all.indexOf(each) === index)
            .map((each) => ({ value: each, label: `${each} documents` }))}
          onChange={(next) => onChange({ ...entry, limit: Number(next) })}
        />
        {disabled ? null : (
          <IconButton label={`Remove the query ${query}`} onClick={() => onChange(null)}>
            <Trash2 />
          </IconButton>
        )}
      </div>
      <Results entry={entry} parts={parts} />
    </li>
  );
}

function Results({ entry, parts }: { entry: ContextQuery; parts: readonly Part[] }) {
  const { agent, draft } = useAgentDraft();
  const values = useTryValues(agent.id);
  // As resolving does it: the values of arguments are filled in first.
  const query = entry.query.replaceAll(
    /\{\{\s*([\w-]+)\s*\}\}/g,
    (whole, name: string) => values[name] ?? whole,
  );
  const { data, error } = useHubQuery('searchKnowledge', {
    body: {
      query,
      limit: entry.limit ?? 5,
      ...(entry.mode === undefined ? {} : { mode: entry.mode }),
      ...searchIn(entry.source === undefined ? draft.sources : [entry.source]),
    },
  });
  const answer = useKept(data);
  if (error) return <ErrorNote error={error} />;
  if (answer === undefined) return null;
  if (answer.results.length === 0) {
    return <p className="text-sm text-soft">No results right now.</p>;
  }
  return (
    <ul className="grid gap-1 text-sm">
      {answer.results.map((hit) => {
        const part = parts.find((each) => each.source === hit.source && each.path === hit.path);
        return (
          <li key={hit.id} className="flex flex-wrap items-baseline gap-x-3">
            <span className="min-w-0 truncate" title={`${hit.source}/${hit.path}`}>
              {hit.title}
            </span>
            <span className="text-xs text-faint tabular">
              relevance {formatDecimal(hit.relevance, 2)}
              {hit.updated_at === null ? '' : `, ${formatAgo(hit.updated_at)}`}
            </span>
            <span className="ml-auto text-xs tabular">
              {part === undefined ? (
                <Badge tone="amber">left out</Badge>
              ) : (
                <Badge tone="leaf">{formatCount(part.tokens, 'token')} in the prompt</Badge>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
