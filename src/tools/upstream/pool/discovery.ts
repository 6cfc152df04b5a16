import { setMaxListeners } from 'node:events';
import type { Link, ServerLists } from '../connection/link.ts';
import type { Known, ListStore } from './list-store.ts';
import type { Upstream } from '../upstream.ts';

/** How long a list waits, in all, for servers that nobody has ever talked to. */
const FIRST_WAIT_MS = 1500;
/** A list that is older is looked at again, in the background. */
const FRESH_MS = 24 * 60 * 60 * 1000;
const FIRST_RETRY_MS = 2000;
const LAST_RETRY_MS = 300_000;

/** What every server offers, as far as is known: at once, and put right behind the scenes. */
export interface Discovery {
  /** Quick. `wait` is for those never seen: for a moment, once. */
  known(upstreams: readonly Upstream[], options: { wait: boolean }): Promise<(Known | null)[]>;
  /** Reads the lists of a connection; whoever is concerned is told if they are different. */
  refresh(upstream: Upstream, link: Link): Promise<void>;
  /** Notes that a server asks for things while it works. */
  noteAsks(hash: string): void;
  /** Looks for none but these any more. */
  retain(hashes: ReadonlySet<string>): void;
  /** What is in memory. */
  peek(hash: string): Known | null;
  close(): void;
}

export interface DiscoveryOptions {
  store: ListStore;
  now(): number;
  /** Has a server started and its lists refreshed. */
  look(upstream: Upstream): Promise<void>;
  /** These owners' lists are different now. */
  onChanged(owners: (string | null)[]): void;
  onError(message: string, error: unknown): void;
}

interface Search {
  first: Promise<void>;
  /** When nobody waits for it any more. */
  until: number;
}

export function createDiscovery({ store, now, look, onChanged, onError }: DiscoveryOptions): Discovery {
  const memory = new Map<string, Known>();
  const loading = new Map<string, Promise<void>>();
  const searches = new Map<string, Search>();
  const owners = new Map<string, Set<string | null>>();
  const timers = new Set<NodeJS.Timeout>();
  const stop = new AbortController();
  // One listener for each server that is looked at is no leak.
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
    const { hash } = upstream;
    const running = searches.get(hash);
    if (running) return running;
    const first = attempt(upstream, FIRST_RETRY_MS);
    const started = { first, until: now() + FIRST_WAIT_MS };
    searches.set(hash, started);
    return started;
  }

  /** Until it has answered once: nobody would ask again by themselves. */
  async function attempt(upstream: Upstream, retryMs: number): Promise<void> {
    try {
      await look(upstream);
    } catch {
      // Why is kept with the server, and shown by its status.
      if (closed) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        if (!searches.has(upstream.hash)) return;
        void attempt(upstream, Math.min(retryMs * 2, LAST_RETRY_MS));
      }, retryMs).unref();
      timers.add(timer);
    }
  }

  async function remember(hash: string, known: Known): Promise<void> {
    const before = memory.get(hash);
    const same = before !== undefined && JSON.stringify(before.lists) === JSON.stringify(known.lists);
    // The same lists stay the same object: what was made from them is still right.
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
        onError('what is known of a server could not be stored', error),
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
