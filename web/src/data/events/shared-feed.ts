import { type HearFeed, type FeedNews, openFeed, SILENCE_MS } from './event-feed.ts';

/** Between the windows of this origin. `joining` asks whether a window reads the feed. */
type Message = FeedNews | { kind: 'joining' };

/** A window that reads the feed answers at once; one that was frozen by the browser does not. */
const JOIN_MS = 5000;

/**
 * The event feed, read by one window for all windows of a workspace. A browser opens at most six connections to a host,
 * and a feed of its own for each of six windows would leave none for anything else. The window that holds the lock
 * reads the feed and passes it on; when it closes, the next in the queue takes over.
 */
export function openSharedFeed(workspace: string | null, hear: HearFeed, signal: AbortSignal): void {
  // Only secure contexts have locks: an address that is neither HTTPS nor local does not.
  if (!('locks' in navigator)) {
    openFeed(hear, signal);
    return;
  }
  const name = `agent-zoo-events:${workspace ?? ''}`;
  const channel = new BroadcastChannel(name);
  const send = (message: Message): void => channel.postMessage(message);
  let isReading = false;
  let isLeader = false;
  /** The feed is read from a known place on: after the first event, and again after each reconnection. */
  let hasBegun = false;
  let isLive = false;
  let heardAt: number | null = null;

  const read = (): void => {
    if (isReading || signal.aborted) return;
    isReading = true;
    openFeed((news) => {
      if (signal.aborted) return;
      if (news.kind === 'event') hasBegun = true;
      isLive = news.kind === 'lost' ? false : hasBegun;
      hear(news);
      if (isLeader) send(news);
    }, signal);
  };
  const lead = (): void => {
    isLeader = true;
    // A window that reads already, because the last leader was silent: others may have missed something since.
    if (isReading) send({ kind: 'event', type: 'events-lost' });
    else read();
  };
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'joining') {
      if (isLeader && isLive) send({ kind: 'joined' });
      return;
    }
    if (isReading) return;
    heardAt = performance.now();
    hear(data);
  });
  void navigator.locks
    .request(name, { signal }, () => {
      lead();
      return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    })
    .catch(() => undefined);
  send({ kind: 'joining' });

  // A leader that does not answer, or no longer does, may be frozen: this window then reads the feed for itself.
  const joining = setTimeout(() => {
    if (heardAt === null) read();
  }, JOIN_MS);
  const readIfSilent = (): void => {
    if (heardAt !== null && performance.now() - heardAt > SILENCE_MS) read();
  };
  const timer = setInterval(readIfSilent, SILENCE_MS);
  document.addEventListener('visibilitychange', readIfSilent, { signal });
  signal.addEventListener('abort', () => {
    clearTimeout(joining);
    clearInterval(timer);
    channel.close();
  });
}
