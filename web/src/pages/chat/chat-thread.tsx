import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { ContextSheet } from '../../runs/context-sheet.tsx';
import type { ChatFeed } from './chat-feed.ts';
import { branchTurns, type ChatState, isActive, lastTurn } from './chat-state.ts';
import { ChatTurnView } from './chat-turn.tsx';

/** Nearer to the end than this, the reader follows what is written. */
const NEAR_PX = 48;
const ESTIMATED_PX = 220;

interface ThreadProps {
  state: ChatState;
  feed: ChatFeed;
  /** How many messages were sent in this window: the reader follows what they have asked for. */
  sent: number;
}

/**
 * The turns of the current branch. Only those on screen exist, so that two thousand scroll like ten. While an answer
 * streams in, the page follows it, unless the reader has scrolled up: then nothing moves.
 */
export function ChatThread({ state, feed, sent }: ThreadProps) {
  const { chat, runs } = state;
  const turns = useMemo(() => branchTurns(chat), [chat]);
  const isBusy = isActive(lastTurn(state).now);
  const [context, setContext] = useState<string | null>(null);
  const { scroller, isBehind, follow, followIfWanted, onScroll } = useFollowing();
  const virtualizer = useVirtualizer({
    count: turns.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => turns[index]?.runId ?? index,
    estimateSize: () => ESTIMATED_PX,
    overscan: 4,
    rangeExtractor: withLast,
    paddingStart: 16,
    paddingEnd: 16,
  });
  // A turn that grows may only move the page if it is wholly above it: the one that is read never does.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = (item, _delta, { scrollOffset }) =>
    item.end <= (scrollOffset ?? 0);
  const height = virtualizer.getTotalSize();
  useLayoutEffect(() => {
    if (height > 0) followIfWanted();
  }, [height, followIfWanted]);
  useLayoutEffect(() => {
    if (sent > 0) follow();
  }, [sent, follow]);
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        data-testid="thread"
        onScroll={onScroll}
        className="h-full overflow-y-auto [overflow-anchor:none]"
      >
        <div
          role="log"
          aria-label="Conversation"
          aria-live="off"
          className="relative mx-auto w-full max-w-3xl"
          style={{ height }}
        >
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const turn = turns[index];
            return turn === undefined ? null : (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className="absolute inset-x-0 px-4 pb-8"
                style={{ transform: `translateY(${start}px)` }}
              >
                <ChatTurnView
                  turn={turn}
                  live={runs[turn.runId]}
                  chat={chat}
                  feed={feed}
                  isBusy={isBusy}
                  isStill={!virtualizer.isScrolling}
                  onContext={setContext}
                  onBranch={follow}
                />
              </div>
            );
          })}
        </div>
      </div>
      {isBehind ? (
        <Button
          small
          icon={<ArrowDown />}
          className="absolute bottom-3 left-1/2 -translate-x-1/2 shadow-float"
          onClick={follow}
        >
          Jump to latest
        </Button>
      ) : null}
      <ContextSheet runId={context} onClose={() => setContext(null)} />
    </div>
  );
}

/** The newest turn is always there: keys answer its approvals, wherever the reader is. */
function withLast(range: Range): number[] {
  const shown = defaultRangeExtractor(range);
  const last = range.count - 1;
  return last < 0 || shown.includes(last) ? shown : [...shown, last];
}

/** Whether the reader is at the end. It is a fact about their scrolling, so growing content does not change it. */
function useFollowing() {
  const scroller = useRef<HTMLDivElement>(null);
  // Read in effects as well, where state of the last scrolling could be a frame old.
  const place = useRef({ isFollowing: true, top: 0 });
  const [isBehind, setBehind] = useState(false);
  const follow = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    element.scrollTop = element.scrollHeight;
    place.current = { isFollowing: true, top: element.scrollTop };
    setBehind(false);
  }, []);
  const followIfWanted = useCallback(() => {
    const element = scroller.current;
    if (!element || !place.current.isFollowing) return;
    element.scrollTop = element.scrollHeight;
    place.current.top = element.scrollTop;
  }, []);
  // The keyboard of a phone, or a longer message, leaves less room.
  useEffect(() => {
    if (!scroller.current) return undefined;
    const watch = new ResizeObserver(followIfWanted);
    watch.observe(scroller.current);
    return () => watch.disconnect();
  }, [followIfWanted]);
  const onScroll = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const { isFollowing, top } = place.current;
    const distance = element.scrollHeight - element.clientHeight - element.scrollTop;
    const movedUp = element.scrollTop < top - 1;
    // Only the reader scrolls up: what is measured later makes the content longer, never the position smaller.
    const next = distance < NEAR_PX ? true : movedUp ? false : isFollowing;
    place.current = { isFollowing: next, top: element.scrollTop };
    setBehind(!next);
  }, []);
  return { scroller, isBehind, follow, followIfWanted, onScroll };
}
