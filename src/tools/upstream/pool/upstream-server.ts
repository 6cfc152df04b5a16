import { setTimeout as sleep } from 'node:timers/promises';
import { ZooError } from '../../../contract/errors.ts';
import { abortError } from '../calls/abort-error.ts';
import type { Era, Link } from '../connection/link.ts';
import { messageOf } from '../../../platform/text/error-message.ts';

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;
/** A rest that is over so soon is waited for. */
const SHORT_REST_MS = 2000;

export interface ServerFacts {
  state: 'idle' | 'starting' | 'ready' | 'failed';
  /** When the state began. */
  since: number;
  pid: number | null;
  era: Era | null;
  title: string | null;
  /** What went wrong last, also when it has been put right since. */
  error: string | null;
  /** Before this it is not tried again. */
  retryAt: number;
}

/** The use of a connection; the server is not idle before it is given back. */
export interface Lease {
  link: Link;
  release(): void;
}

/** One server, started when it is needed, stopped when it is not, and started again after it has failed. */
export interface UpstreamServer {
  facts(): ServerFacts;
  lease(idleMs: number, signal: AbortSignal): Promise<Lease>;
  /** Notes that it has answered: whatever happens next is no failure to start. */
  worked(): void;
  /** Notes what is wrong with it although it runs. */
  complain(why: string): void;
  /** Ends a connection that has turned out to be of no use. */
  drop(link: Link): void;
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** For errors. */
  name: string;
  open(signal: AbortSignal): Promise<Link>;
  onOpen(link: Link): void;
  now(): number;
}

export function createUpstreamServer({ name, open, onOpen, now }: ServerOptions): UpstreamServer {
  let state: ServerFacts['state'] = 'idle';
  let since = now();
  let link: Link | null = null;
  let starting: Promise<Link> | null = null;
  let error: string | null = null;
  let failures = 0;
  let retryAt = 0;
  let users = 0;
  let idleMs = Number.POSITIVE_INFINITY;
  let idle: NodeJS.Timeout | undefined;
  const stopping = new AbortController();

  function enter(next: ServerFacts['state']): void {
    state = next;
    since = now();
  }

  function failed(why: string): void {
    failures += 1;
    error = why;
    // The first time may be chance; after that it gets its rest.
    const rest = failures < 2 ? 0 : Math.min(FIRST_RETRY_MS * 2 ** (failures - 2), LAST_RETRY_MS);
    retryAt = now() + rest;
    enter('failed');
  }

  async function start(wait: number): Promise<Link> {
    enter('starting');
    try {
      if (wait > 0) await sleep(wait, undefined, { signal: stopping.signal });
      const opened = await open(stopping.signal);
      link = opened;
      enter('ready');
      void follow(opened);
      onOpen(opened);
      return opened;
    } catch (cause) {
      failed(messageOf(cause));
      throw cause;
    } finally {
      starting = null;
    }
  }

  async function follow(opened: Link): Promise<void> {
    const { why } = await opened.closed;
    if (link !== opened) return;
    link = null;
    if (why === null) enter('idle');
    else failed(why);
  }

  function begin(): Promise<Link> {
    if (stopping.signal.aborted) return Promise.reject(new ZooError('tool_error', 'the hub is stopping.'));
    if (link) return Promise.resolve(link);
    const wait = retryAt - now();
    if (!starting && wait > SHORT_REST_MS) {
      const seconds = Math.ceil(wait / 1000);
      const text = `${error ?? 'it failed.'} It failed ${failures} times in a row, and is tried again in ${seconds} s.`;
      return Promise.reject(new ZooError('tool_error', text));
    }
    starting ??= start(wait);
    return starting;
  }

  function stopWhenIdle(): void {
    clearTimeout(idle);
    if (users > 0 || idleMs === Number.POSITIVE_INFINITY) return;
    idle = setTimeout(() => {
      if (users === 0) void closeLink();
    }, idleMs).unref();
  }

  async function closeLink(): Promise<void> {
    const closing = link;
    link = null;
    if (!closing) return;
    enter('idle');
    await closing.close();
  }

  return {
    facts: () => ({
      state,
      since,
      pid: link?.pid ?? null,
      era: link?.era ?? null,
      title: link?.title ?? null,
      error,
      retryAt,
    }),

    async lease(idleAfter, signal) {
      idleMs = idleAfter;
      users += 1;
      clearTimeout(idle);
      let held = true;
      const release = (): void => {
        if (!held) return;
        held = false;
        users -= 1;
        stopWhenIdle();
      };
      try {
        return { link: await unlessAborted(begin(), signal), release };
      } catch (cause) {
        release();
        if (cause instanceof ZooError)
          throw new ZooError(cause.code, `The server '${name}': ${cause.message}`, { server: name });
        throw cause;
      }
    },

    worked() {
      failures = 0;
    },

    complain(why) {
      error = why;
    },

    drop(used) {
      if (link === used) void closeLink();
    },

    async stop() {
      clearTimeout(idle);
      stopping.abort();
      await starting?.catch(() => undefined);
      await closeLink();
    },
  };
}

/** A start goes on for the others when one that waits for it has lost interest. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(abortError(signal));
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(abortError(signal));
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
