import { setMaxListeners } from 'node:events';
import type { Link, ServerLists } from '../connection/link.ts';
import { retryDelay } from '../../retry-delay.ts';
import type { Upstream } from '../upstream.ts';
import type { Known, ListStore } from './list-store.ts';

/** How long a listing waits, in all, for servers that were never reached. */
const FIRST_WAIT_MS = 1500;
/** Older lists are refreshed in the background. */
const FRESH_MS = 24 * 60 * 60 * 1000;
const RETRY = { first: 2000, last: 300_000 };

/** What each server offers: answered at once from the last known lists, which are refreshed in the background. */
export interface Discovery {
  /** Quick. With `wait`, it waits a moment for servers that were never reached. */
  known(upstreams: readonly Upstream[], options: { wait: boolean }): Promise<(Known | null)[]>;
  /** Reads the lists over a connection, and reports changes. */
  refresh(upstream: Upstream, link: Link): Promise<void>;
  /** Notes that a server asks questions during calls. */
  noteAsks(hash: string): void;
  /** Cancels searches for all other servers. */
  retain(hashes: ReadonlySet<string>): void;
  /** The lists in memory. */
  peek(hash: string): Known | null;
  close(): void;
}

export interface DiscoveryOptions {
  store: ListStore;
  now(): number;
  /** Starts a server and refreshes its lists. */
  look(upstream: Upstream): Promise<void>;
  /** Tool lists changed for these owners. */
  onChanged(owners: (string | null)[]): void;
  onError(message: string, error: unknown): void;
}

/** Attempts to read the lists of one server, until one succeeds. */
interface Search {
  upstream: Upstream;
  first: Promise<void>;
  /** Listings wait for it until then. */
  until: number;
  failures: number;
}

export function createDiscovery({ store, now, look, onChanged, onError }: DiscoveryOptions): Discovery {
  const memory = new Map<string, Known>();
  const loading = new Map<string, Promise<void>>();
  const searches = new Map<string, Search>();
  const owners = new Map<string, Set<string | null>>();
  const timers = new Set<NodeJS.Timeout>();
  const stop = new AbortController();
  // One listener per server is expected; raise the limit to avoid Node's leak warning.
  setMaxListeners(0, stop.signal);
  let closed = false;

  function load(hash: string): Promise<void> | undefined {
    if (memory.has(hash)) return undefined;
    const known = loading.get(hash);
    if (known) return known;
    const reading = read(hash);
    loading.set(hash, reading);
    reading.catch(() => loading.delete(hash));
    return reading;
  }

  async function read(hash: string): Promise<void> {
    const found = await store.load(hash);
    if (found && !memory.has(hash)) memory.set(hash, found);
  }

  function search(upstream: Upstream): Search {
    const running = searches.get(upstream.hash);
    if (running) return running;
    const started: Search = { upstream, first: Promise.resolve(), until: now() + FIRST_WAIT_MS, failures: 0 };
    searches.set(upstream.hash, started);
    started.first = attempt(started);
    return started;
  }

  /** Retries until it succeeds, since nobody else would. The reason of a failure is in the server's status. */
  async function attempt(current: Search): Promise<void> {
    const { hash } = current.upstream;
    const isCurrent = (): boolean => !closed && searches.get(hash) === current;
    try {
      await look(current.upstream);
      if (isCurrent()) searches.delete(hash);
    } catch {
      if (!isCurrent()) return;
      const timer = setTimeout(
        () => {
          timers.delete(timer);
          if (isCurrent()) void attempt(current);
        },
        retryDelay(current.failures, RETRY),
      ).unref();
      current.failures += 1;
      timers.add(timer);
    }
  }

  async function remember(hash: string, known: Known): Promise<void> {
    const before = memory.get(hash);
    const same = before !== undefined && JSON.stringify(before.lists) === JSON.stringify(known.lists);
    // Equal lists stay the same object, so that whatever was derived from them stays valid.
    memory.set(hash, same ? { ...known, lists: before.lists } : known);
    const settled = same && before.era === known.era && before.asks === known.asks;
    if (settled && known.at - before.at < FRESH_MS / 4) return;
    await store.save(hash, known);
    if (!same && !closed) onChanged([...(owners.get(hash) ?? [])]);
  }

  return {
    async known(upstreams, { wait }) {
      const reads: Promise<void>[] = [];
      for (const { hash, owner } of upstreams) {
        const reading = load(hash);
        if (reading) reads.push(reading);
        const told = owners.get(hash) ?? new Set();
        owners.set(hash, told.add(owner));
      }
      if (reads.length > 0) await Promise.all(reads);
      if (wait && !closed) await waitForUnseen(upstreams);
      return upstreams.map(({ hash }) => memory.get(hash) ?? null);
    },

    async refresh({ hash }, link) {
      const lists: ServerLists = await link.lists(stop.signal);
      const asks = memory.get(hash)?.asks ?? false;
      await remember(hash, { lists, era: link.era, asks, title: link.title, at: now() });
    },

    noteAsks(hash) {
      const known = memory.get(hash);
      if (!known || known.asks) return;
      remember(hash, { ...known, asks: true }).catch((error: unknown) =>
        onError("an upstream server's lists could not be stored", error),
      );
    },

    retain(hashes) {
      for (const hash of searches.keys()) if (!hashes.has(hash)) searches.delete(hash);
    },

    peek: (hash) => memory.get(hash) ?? null,

    close() {
      closed = true;
      stop.abort();
      for (const timer of timers) clearTimeout(timer);
    },
  };

  async function waitForUnseen(upstreams: readonly Upstream[]): Promise<void> {
    const unseen: Search[] = [];
    for (const upstream of upstreams) {
      const known = memory.get(upstream.hash);
      if (known && now() - known.at < FRESH_MS) continue;
      const found = search(upstream);
      if (!known) unseen.push(found);
    }
    const open = unseen.filter(({ until }) => until > now());
    if (open.length === 0) return;
    const until = Math.max(...open.map((each) => each.until));
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, until - now());
    });
    await Promise.race([Promise.all(open.map(({ first }) => first)), over]);
    clearTimeout(timer);
  }
}
