import { useState } from 'react';
import type { SearchAnswer, SearchHit } from '../../../../src/contract/knowledge.ts';
import { useHubQuery, useKept } from '../../data/queries.ts';
import { Empty, ErrorNote, Skeleton, WarningNote } from '../../kit/feedback.tsx';
import { formatAgo, formatCount, formatDecimal, formatDuration, formatNumber } from '../../kit/numbers.ts';
import type { KnowledgeSearch } from './knowledge-search.ts';
import { MarkedText } from './marked-text.tsx';
import { matchedWords, splitPassage } from './passage-text.ts';

interface ResultsProps {
  search: KnowledgeSearch;
  query: string;
  onOpen: (id: string) => void;
}

export function SearchResults({ search, query, onOpen }: ResultsProps) {
  const { mode, source, path } = search;
  const filters = { ...(source === undefined ? {} : { source }), ...(path === undefined ? {} : { path }) };
  const { data, error } = useHubQuery('searchKnowledge', {
    body: { query, explain: true, limit: 20, filters, ...(mode === undefined ? {} : { mode }) },
  });
  const answer = useKept(data);
  if (error) return <ErrorNote error={error} />;
  if (answer === undefined) return <Skeleton lines={6} />;
  return (
    <div className="max-w-4xl">
      <p role="status" className="mb-3 text-xs text-faint tabular">
        {describeAnswer(answer)}
      </p>
      {answer.notes.length === 0 ? null : (
        <div className="mb-3">
          <WarningNote>{answer.notes.join(' ')}</WarningNote>
        </div>
      )}
      {answer.results.length === 0 ? (
        <Empty title="Nothing found">
          Try fewer or different words, or all sources. New documents are found once their source has synced.
        </Empty>
      ) : null}
      <ol className="border-t border-line">
        {answer.results.map((hit) => (
          <Hit key={hit.id} hit={hit} query={query} onOpen={onOpen} />
        ))}
      </ol>
    </div>
  );
}

function describeAnswer({ results, explain }: SearchAnswer): string {
  const found = formatCount(results.length, 'document');
  return explain === undefined
    ? found
    : `${found} of ${formatNumber(explain.candidates)} candidates, ${formatDuration(explain.tookMs)}`;
}

interface HitProps {
  hit: SearchHit;
  query: string;
  onOpen: (id: string) => void;
}

function Hit({ hit, query, onOpen }: HitProps) {
  const [isExplained, setExplained] = useState(false);
  const { id, title, path, source, relevance, passages, updated_at } = hit;
  return (
    <li className="grid gap-x-6 border-b border-line py-4 sm:grid-cols-[minmax(0,1fr)_7rem]">
      <div className="min-w-0">
        <button type="button" className="text-left hover:underline" onClick={() => onOpen(id)}>
          <h2 className="font-serif text-lg">{title}</h2>
        </button>
        <p className="truncate font-mono text-xs text-soft" title={`${source}/${path}`}>
          {source}/{path}
        </p>
        {passages.map((passage) => (
          <PassageButton key={passage.id} passage={passage} onOpen={onOpen} />
        ))}
        {isExplained ? <Why hit={hit} query={query} /> : null}
      </div>
      <div className="text-right text-xs text-soft tabular max-sm:mt-2 max-sm:flex max-sm:gap-3 max-sm:text-left">
        <p title="How relevant it is, from 0 to 1; comparable between questions">
          relevance {formatDecimal(relevance, 2)}
        </p>
        {updated_at === null ? null : <p className="text-faint">{formatAgo(updated_at)}</p>}
        <button
          type="button"
          aria-expanded={isExplained}
          onClick={() => setExplained((is) => !is)}
          className="mt-1 text-leaf hover:underline max-sm:mt-0"
        >
          {isExplained ? 'Less' : 'Why?'}
        </button>
      </div>
    </li>
  );
}

interface PassageProps {
  passage: SearchHit['passages'][number];
  onOpen: (id: string) => void;
}

function PassageButton({ passage, onOpen }: PassageProps) {
  const { headings, text } = splitPassage(passage.snippet, passage.headings);
  return (
    <button
      type="button"
      onClick={() => onOpen(passage.id)}
      className="mt-2 block w-full rounded-md border-l-2 border-line px-3 py-1 text-left hover:border-leaf hover:bg-wash"
    >
      <span className="block text-xs text-faint tabular">
        <MarkedText text={[...headings, linesOf(passage)].join(' › ')} />
      </span>
      <span className="block text-sm break-words whitespace-pre-line">
        <MarkedText text={text} />
      </span>
    </button>
  );
}

const linesOf = ({ lineStart, lineEnd }: { lineStart: number; lineEnd: number }): string =>
  lineStart === lineEnd ? `line ${lineStart}` : `lines ${lineStart}–${lineEnd}`;

function Why({ hit: { explain, score }, query }: Omit<HitProps, 'onOpen'>) {
  if (explain === undefined) return null;
  const { keywordRank, keywordScore, vectorRank, vectorScore, matched } = explain;
  const parts = [
    `score ${formatDecimal(score, 3)}`,
    ...(keywordRank === null ? [] : [`words: rank ${keywordRank}, ${formatDecimal(keywordScore ?? 0, 2)}`]),
    ...(vectorRank === null ? [] : [`meaning: rank ${vectorRank}, ${formatDecimal(vectorScore ?? 0, 2)}`]),
    ...(matched.length === 0 ? [] : [`matches ${matchedWords(query, matched).join(', ')}`]),
  ];
  return <p className="mt-2 px-3 text-xs text-soft tabular">{parts.join(' · ')}</p>;
}
