import { setMaxListeners } from 'node:events';
import type { Link, ServerLists } from '../connection/link.ts';
import type { Upstream } from '../upstream.ts';
import type { Known, ListStore } from './list-store.ts';
import { createSearches } from './searches.ts';

/** Older lists are refreshed in the background. */
const FRESH_MS = 24 * 60 * 60 * 1000;

/** The offers of each server: cached lists are returned at once and refreshed in the background. */
export interface Discovery {
  /** Returns without delay; with `wait`, waits a moment for servers that were never reached. */
  known(upstreams: readonly Upstream[], options: { wait: boolean }): Promise<(Known | null)[]>;
  /** Reads the lists over a connection, and reports changes. */
  refresh(upstream: Upstream, link: Link): Promise<void>;
  /** Records that a server asks questions during calls. */
  noteAsks(hash: string): void;
  /** Forgets all other servers. */
  retain(hashes: ReadonlySet<string>): void;
  /** The owners of the configs that name this server. */
  ownersOf(hash: string): (string | null)[];
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

export function createDiscovery({ store, now, look, onChanged, onError }: DiscoveryOptions): Discovery {
  const memory = new Map<string, Known>();
  const loading = new Map<string, Promise<void>>();
  const searches = createSearches({ look, now });
  const owners = new Map<string, Set<string | null>>();
  const stop = new AbortController();
  // One listener per server is expected; raise the limit to avoid Node's leak warning.
  setMaxListeners(0, stop.signal);
  let closed = false;

  const ownersOf = (hash: string): (string | null)[] => [...(owners.get(hash) ?? [])];

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

  async function remember(hash: string, known: Known): Promise<void> {
    const before = memory.get(hash);
    const same = before !== undefined && JSON.stringify(before.lists) === JSON.stringify(known.lists);
    // Equal lists keep their identity, so that values derived from them stay valid.
    memory.set(hash, same ? { ...known, lists: before.lists } : known);
    const settled = same && before.era === known.era && before.asks === known.asks;
    if (settled && known.at - before.at < FRESH_MS / 4) return;
    try {
      await store.save(hash, known);
    } catch (error) {
      // The lists in memory are still correct; the next hub just has to read them again.
      onError("an upstream server's lists could not be stored", error);
    }
    if (!same && !closed) onChanged(ownersOf(hash));
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
      if (wait && !closed) {
        const isFresh = (known: Known | undefined): boolean =>
          known !== undefined && now() - known.at < FRESH_MS;
        const stale = upstreams.filter(({ hash }) => !isFresh(memory.get(hash)));
        await searches.begin(stale, ({ hash }) => !memory.has(hash));
      }
      return upstreams.map(({ hash }) => memory.get(hash) ?? null);
    },

    async refresh({ hash }, link) {
      const lists: ServerLists = await link.lists(stop.signal);
      const asks = memory.get(hash)?.asks ?? false;
      await remember(hash, { lists, era: link.era, asks, title: link.title, at: now() });
    },

    noteAsks(hash) {
      const known = memory.get(hash);
      if (known && !known.asks) void remember(hash, { ...known, asks: true });
    },

    retain(hashes) {
      searches.retain(hashes);
      for (const each of [memory, loading, owners]) {
        for (const hash of each.keys()) if (!hashes.has(hash)) each.delete(hash);
      }
    },

    ownersOf,
    peek: (hash) => memory.get(hash) ?? null,

    close() {
      closed = true;
      stop.abort();
      searches.close();
    },
  };
}
