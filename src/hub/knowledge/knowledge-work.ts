import { ZooError } from '../../contract/errors.ts';
import type { SyncEvent, SyncOptions } from '../../contract/knowledge.ts';
import type { ConfiguredSource } from '../../knowledge/connector.ts';
import type { Knowledge, KnowledgeScope } from '../../knowledge/knowledge.ts';
import { createSyncQueue } from '../../knowledge/sync/sync-queue.ts';
import type { Layer } from '../../registry/layers/layer.ts';
import { chooseScopes, meansAll } from './choose-scopes.ts';
import { knowledgeScopesByConfig, sourcesNamedBy, untrustedSources } from './knowledge-scope.ts';
import { sourceId, sourceKey } from '../../knowledge/source-reference.ts';
import { syncTogether } from './sync-together.ts';
import type { View } from '../workspaces/view.ts';

type Told = { background?: boolean | undefined };

/** Syncs and other long-running work. */
export interface KnowledgeWork {
  /**
   * Stops with the signal, unless it runs in the background: then only the events stop. With `watch`, it syncs
   * after each change until the signal.
   */
  sync(
    view: View,
    options: SyncOptions & Told & { watch?: boolean | undefined },
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent>;
  embed(
    view: View,
    options: { all?: boolean | undefined } & Told,
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent>;
  /** Keeps a source up to date until the signal; a source that cannot be watched is synced once, if it never was. */
  keepLive(source: ConfiguredSource, scope: KnowledgeScope, signal: AbortSignal): Promise<void>;
  /** Removes sources that are no longer in the config. */
  removeGone(layer: Layer, signal: AbortSignal): Promise<void>;
  /** How many are running, and when the last one ended (`performance.now`). */
  use(): { open: number; lastAt: number };
  /** Cancels running work and waits for it to stop. */
  close(): Promise<void>;
}

export interface KnowledgeWorkOptions {
  knowledge: Knowledge;
  /** Whether sources missing from the config may be removed; false if an explicit config replaces another. */
  removes(): boolean;
  /** Announces that a source was synced or removed. Never rejects: a sync must not fail because of its event. */
  announce(owner: string | null, event: Extract<SyncEvent, { type: 'done' | 'removed' }>): Promise<void>;
}

export function createKnowledgeWork({ knowledge, removes, announce }: KnowledgeWorkOptions): KnowledgeWork {
  const running = new Set<Promise<void>>();
  const closing = new AbortController();
  /** Live syncs and their listeners. */
  const live = new Set<string>();
  const listeners = new Set<(key: string, event: SyncEvent) => void>();
  let lastAt = performance.now();

  const count = async (work: Promise<void>): Promise<void> => {
    running.add(work);
    try {
      await work;
    } finally {
      running.delete(work);
      lastAt = performance.now();
    }
  };

  /** Runs until it finishes or its signal aborts, even if nobody reads its events. */
  async function* run(
    open: (signal: AbortSignal) => AsyncGenerator<SyncEvent>,
    { background = false }: Told,
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent> {
    const stop = background ? closing.signal : AbortSignal.any([closing.signal, signal]);
    const events = createSyncQueue();
    const work = count(
      (async () => {
        for await (const event of open(stop)) events.push(event);
      })().then(events.end, events.fail),
    );
    signal.addEventListener('abort', events.end, { once: true });
    try {
      yield* events.read();
    } finally {
      signal.removeEventListener('abort', events.end);
      // Wait for the end, so that the next sync starts from a settled state.
      if (!background) await work;
    }
  }

  async function tell(scope: KnowledgeScope, event: SyncEvent): Promise<void> {
    if (event.type !== 'done') return;
    const source = scope.sources.find((each) => sourceId(each) === event.source);
    await announce(source?.owner ?? null, event);
  }

  async function* syncing(
    scope: KnowledgeScope,
    options: SyncOptions,
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent> {
    for await (const event of knowledge.sync(options, scope, signal)) {
      if (!options.dry_run) await tell(scope, event);
      yield event;
    }
  }

  async function* removing(
    layer: Layer,
    options: Pick<SyncOptions, 'dry_run'>,
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent> {
    const named = removes() ? sourcesNamedBy(layer) : null;
    if (named === null) return;
    for await (const event of knowledge.removeOthers(layer.owner, named, options, signal)) {
      if (event.type === 'removed' && !options.dry_run) await announce(layer.owner, event);
      yield event;
    }
  }

  /** Reported, so that a partial sync does not look complete. */
  async function* leftWaiting(view: View): AsyncGenerator<SyncEvent> {
    for (const { id, last_error } of untrustedSources(view)) {
      yield { type: 'problem', source: id, path: null, reason: `was left out. ${last_error ?? ''}` };
    }
  }

  /** A config without sources has nothing to sync, but removed sources must still be deleted. */
  async function choose(
    view: View,
    what: string | undefined,
    signal: AbortSignal,
  ): Promise<KnowledgeScope[]> {
    try {
      return chooseScopes(view, what);
    } catch (error) {
      if (!(meansAll(what) && error instanceof ZooError && error.code === 'invalid_arguments')) throw error;
      for (const layer of view.layers) {
        const { done } = await removing(layer, { dry_run: true }, signal).next();
        if (!done) return [];
      }
      throw error;
    }
  }

  /** Follows later changes. Sources that are already live are only listened to. */
  async function* watching(
    scopes: readonly KnowledgeScope[],
    changes: boolean,
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent> {
    const events = createSyncQueue();
    const wanted = new Set(scopes.flatMap(({ sources }) => sources.map(sourceKey)));
    const hear = (key: string, event: SyncEvent): void => {
      if (wanted.has(key)) events.push(event);
    };
    const watches = scopes.map(async (scope) => {
      const sources = scope.sources.filter((source) => !live.has(sourceKey(source)));
      if (sources.length === 0) return;
      await knowledge.watch({ ...scope, sources }, signal, (event) => {
        void tell(scope, event);
        events.push(event);
      });
    });
    signal.addEventListener('abort', events.end, { once: true });
    if (signal.aborted) events.end();
    listeners.add(hear);
    for (const watch of watches) watch.catch(events.fail);
    try {
      for await (const event of events.read()) if (changes || event.type !== 'change') yield event;
    } finally {
      listeners.delete(hear);
      await Promise.allSettled(watches);
    }
  }

  async function* syncThenWatch(
    view: View,
    { what, ...options }: SyncOptions,
    watch: boolean,
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent> {
    const dryRun = options.dry_run ?? false;
    const scopes = await choose(view, what, signal);
    yield* syncTogether(
      scopes,
      dryRun,
      scopes.map((scope) => syncing(scope, options, signal)),
      meansAll(what)
        ? [leftWaiting(view), ...view.layers.map((layer) => removing(layer, options, signal))]
        : [],
    );
    if (watch && !dryRun) yield* watching(scopes, options.changes ?? false, signal);
  }

  return {
    sync: (view, { background, watch = false, ...options }, signal) =>
      run((stop) => syncThenWatch(view, options, watch, stop), { background: background && !watch }, signal),

    embed: (view, { background, all = false }, signal) =>
      run(
        (stop) => {
          const scopes = knowledgeScopesByConfig(view);
          return syncTogether(
            scopes,
            false,
            scopes.map((scope) => knowledge.embed({ rebuild: all }, scope, stop)),
          );
        },
        { background },
        signal,
      ),

    async keepLive(source, scope, signal) {
      const key = sourceKey(source);
      const own = { ...scope, sources: [source] };
      const stop = AbortSignal.any([closing.signal, signal]);
      const hear = (event: SyncEvent): void => {
        lastAt = performance.now();
        void tell(own, event);
        for (const listener of listeners) listener(key, event);
      };
      live.add(key);
      try {
        // Folders are scanned when their watch starts; other sources are synced once.
        if (source.type !== 'filesystem') {
          const [known] = await knowledge.sources(own);
          if (known?.healthy) return;
          for await (const event of run((end) => knowledge.sync({}, own, end), {}, stop)) hear(event);
        } else await knowledge.watch(own, stop, hear);
      } finally {
        live.delete(key);
      }
    },

    async removeGone(layer, signal) {
      for await (const _ of run((stop) => removing(layer, {}, stop), {}, signal)) lastAt = performance.now();
    },

    use: () => ({ open: Math.max(running.size, knowledge.isSyncing() ? 1 : 0), lastAt }),

    async close() {
      closing.abort();
      await Promise.allSettled(running);
    },
  };
}
