import { setTimeout as sleep } from 'node:timers/promises';
import { ZooError } from '../../../contract/errors.ts';
import { messageOf } from '../../../platform/text/error-message.ts';
import { abortError } from '../calls/abort-error.ts';
import type { Era, Link } from '../connection/link.ts';
import { retryDelay } from '../../../platform/processes/retry-delay.ts';

/** A call waits out a backoff of up to this length; otherwise it fails immediately. */
const SHORT_PAUSE_MS = 2000;
/** Node's maximum timer delay; longer timers fire immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface ServerFacts {
  state: 'idle' | 'starting' | 'ready' | 'failed';
  /** When the state was entered. */
  since: number;
  pid: number | null;
  era: Era | null;
  title: string | null;
  /** The last failure, even if the server works again. */
  error: string | null;
  /** The last lines that its process printed, even after it exited. */
  said: string;
  /** No attempt before this time. */
  retryAt: number;
}

/** The use of a connection. The server does not count as idle before it is released. */
export interface Lease {
  link: Link;
  release(): void;
}

/** One server: started on demand, stopped when idle, restarted after a failure. */
export interface UpstreamServer {
  facts(): ServerFacts;
  /** `idleMs` is how long the server is kept afterwards; the longest of all leases counts. */
  lease(idleMs: number, signal: AbortSignal): Promise<Lease>;
  /** Records that it has answered: a later exit does not count as a failed start. */
  worked(): void;
  /** Records a failure of a running server. */
  complain(why: string): void;
  /** Closes a connection that turned out to be broken. */
  drop(link: Link): void;
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** For error messages. */
  name: string;
  open(signal: AbortSignal): Promise<Link>;
  onOpen(link: Link): void;
  /** The facts have changed. */
  onState(): void;
  now(): number;
}

/** Thrown by `lease` when the server was stopped first: nothing was sent, so the request can be made elsewhere. */
export class ServerStopped extends ZooError {
  constructor(name: string) {
    super('tool_error', `The server '${name}' was stopped before the call was made.`, { server: name });
  }
}

export function createUpstreamServer({ name, open, onOpen, onState, now }: ServerOptions): UpstreamServer {
  let link: Link | null = null;
  let latest: Link | null = null;
  let starting: Promise<Link> | null = null;
  const stopping = new AbortController();
  const health = createHealth(now, onState);
  const idle = createIdleTimer(now, () => void closeLink());

  async function start(pause: number): Promise<Link> {
    health.enter('starting');
    try {
      if (pause > 0) await sleep(pause, undefined, { signal: stopping.signal });
      const opened = await open(stopping.signal);
      link = opened;
      latest = opened;
      health.enter('ready');
      void follow(opened);
      onOpen(opened);
      return opened;
    } catch (cause) {
      if (stopping.signal.aborted) {
        health.enter('idle');
        throw new ServerStopped(name);
      }
      health.failed(messageOf(cause));
      throw cause;
    } finally {
      starting = null;
    }
  }

  async function follow(opened: Link): Promise<void> {
    const { why } = await opened.closed;
    if (link !== opened) return;
    link = null;
    idle.reset();
    if (why === null) health.enter('idle');
    else health.failed(why);
  }

  function connect(): Promise<Link> {
    if (stopping.signal.aborted) return Promise.reject(new ServerStopped(name));
    if (link) return Promise.resolve(link);
    if (starting) return starting;
    const pause = health.retryAt() - now();
    if (pause > SHORT_PAUSE_MS)
      return Promise.reject(new ZooError('tool_error', health.describePause(pause)));
    starting = start(pause);
    return starting;
  }

  async function closeLink(): Promise<void> {
    const closing = link;
    link = null;
    idle.reset();
    if (!closing) return;
    health.enter('idle');
    await closing.close();
  }

  return {
    facts: () => ({
      ...health.facts(),
      pid: link?.pid ?? null,
      era: link?.era ?? null,
      title: link?.title ?? null,
      said: latest?.said() ?? '',
    }),

    async lease(idleMs, signal) {
      if (signal.aborted) throw abortError(signal);
      const release = idle.hold(idleMs);
      try {
        return { link: await unlessAborted(connect(), signal), release };
      } catch (cause) {
        release();
        if (!(cause instanceof ZooError) || cause instanceof ServerStopped) throw cause;
        throw new ZooError(cause.code, `The server '${name}': ${cause.message}`, { server: name });
      }
    },

    worked: () => health.worked(),
    complain: (why) => health.complain(why),

    drop(used) {
      if (link === used) void closeLink();
    },

    async stop() {
      stopping.abort();
      await starting?.catch(() => undefined);
      await closeLink();
    },
  };
}

/** State, last error and backoff of a server. */
function createHealth(now: () => number, onState: () => void) {
  let state: ServerFacts['state'] = 'idle';
  let since = now();
  let error: string | null = null;
  let failures = 0;
  let retryAt = 0;
  const enter = (next: ServerFacts['state']): void => {
    state = next;
    since = now();
    onState();
  };
  return {
    enter,
    facts: () => ({ state, since, error, retryAt }),
    retryAt: () => retryAt,
    failed(why: string): void {
      failures += 1;
      error = why;
      // The first failure may be a fluke and is retried immediately.
      retryAt = now() + (failures < 2 ? 0 : retryDelay(failures - 2));
      enter('failed');
    },
    worked(): void {
      failures = 0;
    },
    complain(why: string): void {
      error = why;
      onState();
    },
    describePause: (pause: number): string =>
      `${error ?? 'it failed.'} It failed ${failures} times in a row; next attempt in ${Math.ceil(pause / 1000)} s.`,
  };
}

/** Calls `onIdle` after the longest idle time of any holder has passed without one. */
function createIdleTimer(now: () => number, onIdle: () => void) {
  let holders = 0;
  let keepUntil = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    hold(idleMs: number): () => void {
      holders += 1;
      clearTimeout(timer);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        holders -= 1;
        keepUntil = Math.max(keepUntil, now() + idleMs);
        if (holders > 0) return;
        const wait = Math.min(keepUntil - now(), LONGEST_TIMER_MS);
        timer = setTimeout(() => holders === 0 && onIdle(), wait).unref();
      };
    },
    /** Clears the idle timer after the connection has closed. */
    reset(): void {
      clearTimeout(timer);
      keepUntil = 0;
    },
  };
}

/** Rejects when the signal aborts; the start continues for other callers. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(abortError(signal));
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
