import { Search } from 'lucide-react';
import { useState } from 'react';
import { useHubQuery, useKept } from '../../data/queries.ts';
import { ErrorNote } from '../../kit/feedback.tsx';
import { SearchInput } from '../../kit/field.tsx';
import { Sheet } from '../../kit/floating.tsx';

interface PickerProps {
  open: boolean;
  onClose: () => void;
  onPick: (documentId: string) => void;
}

/** A document of the knowledge base to attach, found by search. */
export function DocumentPicker({ open, onClose, onPick }: PickerProps) {
  const [query, setQuery] = useState('');
  const found = useHubQuery(
    'searchKnowledge',
    { body: { query, limit: 20 } },
    { enabled: open && query.trim() !== '' },
  );
  const all = useHubQuery('listDocuments', { limit: 30 }, { enabled: open && query.trim() === '' });
  const results = useKept(found.data)?.results ?? [];
  const shown = query.trim() === '' ? (all.data?.documents ?? []) : results;
  const error = found.error ?? all.error;
  return (
    <Sheet open={open} onClose={onClose} title="Attach a document">
      <div className="grid gap-3">
        <SearchInput label="Search documents" icon={<Search />} value={query} onChange={setQuery} autoFocus />
        {error ? <ErrorNote error={error} /> : null}
        {shown.length === 0 ? (
          <p className="text-sm text-soft">
            {query.trim() === '' ? 'No documents yet: add a source on the Knowledge page.' : 'Nothing found.'}
          </p>
        ) : (
          <ul aria-label="Documents">
            {shown.map(({ id, title, source, path }) => (
              <li key={id} className="border-t border-line">
                <button
                  type="button"
                  onClick={() => onPick(id)}
                  className="block w-full px-2 py-2 text-left -outline-offset-2 hover:bg-wash"
                >
                  <span className="block truncate text-sm">{title}</span>
                  <span className="block truncate font-mono text-xs text-soft">
                    {source}/{path}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Sheet>
  );
}
