import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { CallOutcome, ToolCallRecord } from '../../../../src/contract/activity.ts';
import { Badge, type Tone } from '../../kit/feedback.tsx';
import { formatAgo, formatDuration, formatMoment } from '../../kit/numbers.ts';

const ROW_HEIGHT = 44;
const columns =
  'grid-cols-[minmax(0,1fr)_5rem] md:grid-cols-[minmax(0,14rem)_minmax(0,1fr)_minmax(0,12rem)_5rem_5rem_7rem]';

export const outcomes: Record<CallOutcome, { word: string; tone: Tone }> = {
  ok: { word: 'Done', tone: 'leaf' },
  failed: { word: 'Failed', tone: 'danger' },
  asked: { word: 'Asked', tone: 'amber' },
  cancelled: { word: 'Cancelled', tone: 'neutral' },
};

interface CallListProps {
  calls: readonly ToolCallRecord[];
  hasMore: boolean;
  onMore: () => void;
  onOpen: (record: ToolCallRecord) => void;
}

/** Only the rows on screen exist. Earlier ones are read when their end comes into sight. */
export function CallList({ calls, hasMore, onMore, onOpen }: CallListProps) {
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  const virtualizer = useWindowVirtualizer({
    count: calls.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    scrollMargin: top,
    getItemKey: (index) => calls[index]?.seq ?? index,
  });
  const rows = virtualizer.getVirtualItems();
  const last = rows.at(-1)?.index ?? 0;
  const isAtEnd = hasMore && last >= calls.length - 20;
  useEffect(() => {
    if (isAtEnd) onMore();
  }, [isAtEnd, onMore]);
  return (
    <div>
      <div
        aria-hidden="true"
        className={`sticky top-0 z-10 grid gap-4 border-b border-line-strong bg-paper px-2 py-2 text-xs text-faint max-md:hidden ${columns}`}
      >
        {['Tool', 'Arguments', 'Agent, client', 'Duration', 'Result', 'When'].map((title) => (
          <span key={title} className={title === 'Duration' ? 'text-right' : undefined}>
            {title}
          </span>
        ))}
      </div>
      <div
        ref={list}
        role="list"
        aria-label="Calls"
        className="relative"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {rows.map(({ index, start, key }) => {
          const record = calls[index];
          if (!record) return null;
          return (
            <div
              key={key}
              role="listitem"
              aria-posinset={index + 1}
              aria-setsize={hasMore ? -1 : calls.length}
              className="absolute inset-x-0"
              style={{ transform: `translateY(${start - top}px)`, height: ROW_HEIGHT }}
            >
              <CallRow record={record} onOpen={onOpen} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function CallRow({ record, onOpen }: { record: ToolCallRecord; onOpen: (record: ToolCallRecord) => void }) {
  const { displayName, arguments: given, agentId, client, surface, durationMs, outcome, at } = record;
  const { word, tone } = outcomes[outcome];
  const who = [...(agentId === null ? [] : [agentId]), client ?? surface];
  return (
    <button
      type="button"
      onClick={() => onOpen(record)}
      className={`grid h-full w-full items-center gap-4 border-b border-line px-2 text-left text-sm -outline-offset-2 hover:bg-sheet ${columns}`}
    >
      <span className="min-w-0">
        <span className="block truncate font-mono text-xs" title={displayName}>
          {displayName}
        </span>
        <span className="block truncate text-xs text-faint md:hidden">
          {[...who, formatAgo(at)].join(', ')}
        </span>
      </span>
      <span className="truncate font-mono text-xs text-soft max-md:hidden" title={given}>
        {given}
      </span>
      <span className="truncate text-soft max-md:hidden">{who.join(', ')}</span>
      <span className="text-right text-xs text-soft tabular max-md:hidden">{formatDuration(durationMs)}</span>
      <span className="max-md:justify-self-end">
        <Badge tone={tone}>{word}</Badge>
      </span>
      <span className="text-xs text-faint max-md:hidden" title={formatMoment(at)}>
        {formatAgo(at)}
      </span>
    </button>
  );
}
