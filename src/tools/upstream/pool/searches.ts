import { setTimeout as sleep } from 'node:timers/promises';
import { retryDelay } from '../../../platform/processes/retry-delay.ts';
import type { Upstream } from '../upstream.ts';

/** How long a listing waits in total for servers that were never reached. */
const FIRST_WAIT_MS = 1500;
const RETRY = { first: 2000, last: 300_000 };

/** Attempts to read the lists of one server, until one succeeds. */
interface Search {
  upstream: Upstream;
  first: Promise<void>;
  /** Listings wait for the result until this time. */
  until: number;
  failures: number;
  timer?: NodeJS.Timeout;
}

/** Background attempts to read the lists of servers. */
export interface Searches {
  /** Starts those that do not run yet, and waits a moment for the urgent ones. */
  begin(upstreams: readonly Upstream[], isUrgent: (upstream: Upstream) => boolean): Promise<void>;
  /** Cancels searches for all other servers. */
  retain(hashes: ReadonlySet<string>): void;
  close(): void;
}

export function createSearches(options: {
  look(upstream: Upstream): Promise<void>;
  now(): number;
}): Searches {
  const { look, now } = options;
  const searches = new Map<string, Search>();

  function search(upstream: Upstream): Search {
    const running = searches.get(upstream.hash);
    if (running) return running;
    const started: Search = { upstream, first: Promise.resolve(), until: now() + FIRST_WAIT_MS, failures: 0 };
    searches.set(upstream.hash, started);
    started.first = attempt(started);
    return started;
  }

  /** Retries until it succeeds. The last error is in the server's status. */
  async function attempt(current: Search): Promise<void> {
    const { upstream, failures } = current;
    const isCurrent = (): boolean => searches.get(upstream.hash) === current;
    try {
      await look(upstream);
      if (isCurrent()) searches.delete(upstream.hash);
    } catch {
      if (!isCurrent()) return;
      current.failures += 1;
      current.timer = setTimeout(() => void attempt(current), retryDelay(failures, RETRY)).unref();
    }
  }

  function cancel(which: (hash: string) => boolean): void {
    for (const [hash, { timer }] of searches) {
      if (!which(hash)) continue;
      clearTimeout(timer);
      searches.delete(hash);
    }
  }

  return {
    async begin(upstreams, isUrgent) {
      const urgent = upstreams.map((upstream) => ({ upstream, running: search(upstream) }));
      const open = urgent
        .filter(({ upstream, running }) => isUrgent(upstream) && running.until > now())
        .map(({ running }) => running);
      if (open.length === 0) return;
      const until = Math.max(...open.map((each) => each.until));
      const done = new AbortController();
      const timeout = sleep(until - now(), undefined, { signal: done.signal }).catch(() => undefined);
      await Promise.race([Promise.all(open.map(({ first }) => first)), timeout]);
      done.abort();
    },
    retain: (hashes) => cancel((hash) => !hashes.has(hash)),
    close: () => cancel(() => true),
  };
}
