import { useVirtualizer } from '@tanstack/react-virtual';
import { RotateCw } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { type TeamMessage, textForPeople } from '../../../../src/contract/team.ts';
import { useHubMutation } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { Badge, ErrorNote } from '../../kit/feedback.tsx';
import { formatMoment } from '../../kit/numbers.ts';
import { receipts } from './team-words.ts';

interface MessageTimelineProps {
  teamId: string;
  messages: readonly TeamMessage[];
  /** Whether dead letters can be delivered again. */
  canRedeliver: boolean;
}

/** Close enough to the end to stay there when something new comes. */
const AT_END_PX = 80;

/** Every message with its receipt. Only those on screen exist; the end stays in sight for whoever is there. */
export function MessageTimeline({ teamId, messages, canRedeliver }: MessageTimelineProps) {
  const area = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const virtualizer = useVirtualizer({
    count: messages.length,
    getScrollElement: () => area.current,
    estimateSize: () => 84,
    overscan: 8,
    getItemKey: (index) => messages[index]?.id ?? index,
  });
  const count = messages.length;
  useEffect(() => {
    if (isAtEnd.current && count > 0) virtualizer.scrollToIndex(count - 1, { align: 'end' });
  }, [count, virtualizer]);
  return (
    <div
      ref={area}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so it has to be reachable
      tabIndex={0}
      role="log"
      aria-label="Messages"
      className="h-[60dvh] overflow-y-auto border-y border-line"
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < AT_END_PX;
      }}
    >
      <div className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start, key }) => {
          const message = messages[index];
          if (!message) return null;
          return (
            <div
              key={key}
              data-index={index}
              ref={virtualizer.measureElement}
              className="absolute inset-x-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              <Message message={message} teamId={teamId} canRedeliver={canRedeliver} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface MessageProps {
  message: TeamMessage;
  teamId: string;
  canRedeliver: boolean;
}

function Message({ message, teamId, canRedeliver }: MessageProps) {
  const { id, from, to, kind, broadcast, state, reason, waitsForReply, at } = message;
  const { word, tone, about } = receipts[state];
  const redeliver = useHubMutation('redeliverMessage');
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-1 border-b border-line px-2 py-2.5">
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-faint">
        <span className="text-sm text-ink">
          {from} → {to}
        </span>
        {kind === 'message' && broadcast === null ? null : (
          <span>{broadcast === null ? kind : 'broadcast'}</span>
        )}
        <span title={reason ?? about}>
          <Badge tone={tone}>{word}</Badge>
        </span>
        {waitsForReply ? <span className="text-amber">waits for a reply</span> : null}
        <time dateTime={at} className="ml-auto">
          {formatMoment(at)}
        </time>
      </p>
      <p className="max-w-[80ch] text-sm break-words whitespace-pre-wrap">{textForPeople(message)}</p>
      {state === 'dead' ? (
        <div className="flex flex-wrap items-center gap-2">
          {reason === null ? null : <span className="text-xs text-danger">{reason}</span>}
          {canRedeliver ? (
            <Button
              small
              icon={<RotateCw />}
              disabled={redeliver.isPending}
              onClick={() => redeliver.mutate({ id: teamId, message: id })}
            >
              Deliver again
            </Button>
          ) : null}
        </div>
      ) : null}
      {redeliver.error ? <ErrorNote error={redeliver.error} /> : null}
    </article>
  );
}
