import { Link } from '@tanstack/react-router';
import { MessageSquare } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { DocumentView } from '../../../../src/contract/knowledge.ts';
import { useHubQuery, useKept } from '../../data/queries.ts';
import { buttonClass } from '../../kit/button.tsx';
import { ErrorNote, Skeleton } from '../../kit/feedback.tsx';
import { Sheet } from '../../kit/floating.tsx';
import { formatAgo, formatCount } from '../../kit/numbers.ts';

interface DocumentSheetProps {
  /** A document, or `DOCUMENT#ORDINAL` for one passage of it, which is marked. */
  id: string | undefined;
  onClose: () => void;
}

/** A document as the hub has it: the text that agents get. */
export function DocumentSheet({ id, onClose }: DocumentSheetProps) {
  const kept = useKept(id) ?? '';
  const [whole = ''] = kept.split('#');
  const { data, error } = useHubQuery('getDocument', { id: whole }, { enabled: id !== undefined });
  return (
    <Sheet
      open={id !== undefined}
      onClose={onClose}
      title={data?.title ?? 'Document'}
      wide
      footer={
        <Link to="/chat" search={{ document: whole }} className={buttonClass()}>
          <MessageSquare />
          Chat about it
        </Link>
      }
    >
      {error ? <ErrorNote error={error} /> : null}
      {data === undefined && !error ? <Skeleton lines={12} /> : null}
      {data === undefined ? null : <DocumentText document={data} passage={kept} />}
    </Sheet>
  );
}

function DocumentText({ document, passage }: { document: DocumentView; passage: string }) {
  const { source, path, url, updated_at, tokens, lines, body, chunks } = document;
  const marked = chunks.find(({ id }) => id === passage);
  const first = useRef<HTMLLIElement>(null);
  const start = marked?.lineStart;
  useEffect(() => {
    if (start !== undefined) first.current?.scrollIntoView({ block: 'center' });
  }, [start]);
  return (
    <div className="grid gap-4">
      <p className="text-xs text-soft tabular">
        <span className="font-mono">
          {source}/{path}
        </span>
        {' · '}
        {formatCount(lines, 'line')}, {formatCount(tokens, 'token')}
        {updated_at === null ? null : ` · changed ${formatAgo(updated_at)}`}
        {url === null ? null : <span className="block break-all">{url}</span>}
      </p>
      <ol className="font-mono text-xs leading-5">
        {body.split('\n').map((text, index) => {
          const line = index + document.line_start;
          const isMarked = marked !== undefined && line >= marked.lineStart && line <= marked.lineEnd;
          return (
            <li
              key={line}
              ref={isMarked && line === marked.lineStart ? first : null}
              className={`flex gap-4 px-2 ${isMarked ? 'bg-leaf-wash' : ''}`}
            >
              <span aria-hidden="true" className="w-8 shrink-0 text-right text-faint tabular select-none">
                {line}
              </span>
              <span className="min-w-0 break-words whitespace-pre-wrap">{text === '' ? '\u00a0' : text}</span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
