import { Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useHubQuery, useKept } from '../../../data/queries.ts';
import { ErrorNote } from '../../../kit/feedback.tsx';
import { SearchInput } from '../../../kit/field.tsx';
import { formatAgo, formatDecimal } from '../../../kit/numbers.ts';
import { MarkedText } from '../../knowledge/marked-text.tsx';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { searchIn } from './search-in.ts';

/** What the agent would find for a question, in the sources that it is bound to. */
export function AskDocuments() {
  const { draft } = useAgentDraft();
  const [text, setText] = useState('');
  const query = useDeferredValue(text).trim();
  const { data, error } = useHubQuery(
    'searchKnowledge',
    { body: { query, limit: 5, ...searchIn(draft.sources) } },
    { enabled: query !== '' && draft.sources?.length !== 0 },
  );
  const answer = useKept(data);
  return (
    <section aria-labelledby="ask" className="grid gap-3">
      <h2 id="ask" className="font-serif text-lg">
        What would it find?
      </h2>
      <SearchInput
        label="Try a question"
        placeholder="A question as a user would ask it"
        icon={<Search />}
        value={text}
        onChange={setText}
      />
      {error ? <ErrorNote error={error} /> : null}
      {query === '' || answer === undefined ? null : (
        <ol aria-label="Found" className="grid gap-3">
          {answer.results.map((hit) => (
            <li key={hit.id} className="grid gap-0.5">
              <p className="flex flex-wrap items-baseline gap-x-3">
                <Link
                  to="/knowledge"
                  search={{ doc: hit.passages[0]?.id ?? hit.id }}
                  className="font-medium hover:underline"
                >
                  {hit.title}
                </Link>
                <span className="font-mono text-xs text-faint">
                  {hit.source}/{hit.path}
                </span>
                <span className="ml-auto text-xs text-soft tabular">
                  relevance {formatDecimal(hit.relevance, 2)}
                  {hit.updated_at === null ? '' : `, ${formatAgo(hit.updated_at)}`}
                </span>
              </p>
              <p className="line-clamp-3 text-sm break-words text-soft">
                <MarkedText text={hit.snippet} />
              </p>
            </li>
          ))}
          {answer.results.length === 0 ? (
            <li className="text-sm text-soft">Nothing found in its sources.</li>
          ) : null}
        </ol>
      )}
    </section>
  );
}
