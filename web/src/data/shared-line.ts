import { type HearNews, type LineNews, openLine, SILENCE_MS } from './event-line.ts';

/** Between the windows of this origin. `joining` asks whether a window reads the feed. */
type Message = LineNews | { kind: 'joining' };

/** A window that reads the feed answers at once; one that was frozen by the browser does not. */
const JOIN_MS = 3000;

/**
 * The event feed, read by one window for all windows of a workspace. A browser opens at most six connections to a host,
 * and a feed of its own for each of six windows would leave none for anything else. The window that holds the lock
 * reads the feed and passes it on; when it closes, the next in the queue takes over.
 */
export function openSharedLine(workspace: string | null, hear: HearNews, signal: AbortSignal): void {
  // Only secure contexts have locks: an address that is neither HTTPS nor local does not.
  if (!('locks' in navigator)) {
    openLine(hear, signal);
    return;
  }
  const name = `agent-zoo-events:${workspace ?? ''}`;
  const channel = new BroadcastChannel(name);
  const send = (message: Message): void => channel.postMessage(message);
  let isReading = false;
  let isLive = false;
  let heardAt = 0;

  const read = (pass: HearNews): void => {
    if (isReading || signal.aborted) return;
    isReading = true;
    openLine((news) => {
      if (news.kind === 'event') isLive = true;
      if (news.kind === 'lost') isLive = false;
      hear(news);
      pass(news);
    }, signal);
  };
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'joining') {
      if (isReading && isLive) send({ kind: 'joined' });
      return;
    }
    if (isReading) return;
    heardAt = performance.now();
    hear(data);
  });
  void navigator.locks
    .request(name, { signal }, () => {
      read(send);
      return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    })
    .catch(() => undefined);
  send({ kind: 'joining' });

  // The reading window does not answer, or no longer does: this window then reads the feed for itself.
  const readIfSilent = (longest: number): void => {
    if (performance.now() - heardAt > longest) read(() => undefined);
  };
  heardAt = performance.now();
  const joining = setTimeout(() => readIfSilent(JOIN_MS - 100), JOIN_MS);
  const timer = setInterval(() => readIfSilent(SILENCE_MS), SILENCE_MS);
  document.addEventListener('visibilitychange', () => readIfSilent(SILENCE_MS), { signal });
  signal.addEventListener('abort', () => {
    clearTimeout(joining);
    clearInterval(timer);
    channel.close();
  });
}
