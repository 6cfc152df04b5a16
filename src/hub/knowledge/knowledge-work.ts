import type { SyncEvent, SyncOptions } from '../../contract/knowledge.ts';
import type { ConfiguredSource } from '../../knowledge/connector.ts';
import type { KnowledgeScope } from '../../knowledge/knowledge.ts';
import { sourceKey } from '../../knowledge/source-reference.ts';
import { linkSignals } from '../../platform/processes/link-signals.ts';
import type { Layer } from '../../registry/layers/layer.ts';
import type { View } from '../workspaces/view.ts';
import { knowledgeScopesByConfig } from './knowledge-scope.ts';
import { createLiveSources } from './live-sources.ts';
import { createRunningWork, type Told } from './running-work.ts';
import { createSyncSteps, type SyncStepsOptions } from './sync-steps.ts';
import { syncTogether } from './sync-together.ts';

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

export function createKnowledgeWork(options: SyncStepsOptions): KnowledgeWork {
  const { knowledge } = options;
  const { run, closing, touch, use, close } = createRunningWork();
  const { tell, choose, sync, removing } = createSyncSteps(options);
  const live = createLiveSources(knowledge, tell);

  async function* syncThenWatch(
    view: View,
    wanted: SyncOptions,
    watch: boolean,
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent> {
    const scopes = await choose(view, wanted.what, signal);
    yield* sync(view, scopes, wanted, signal);
    if (watch && !wanted.dry_run) yield* live.watching(scopes, wanted.changes ?? false, signal);
  }

  return {
    close,

    sync: (view, { background, watch = false, ...wanted }, signal) =>
      run((stop) => syncThenWatch(view, wanted, watch, stop), { background: background && !watch }, signal),

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

    keepLive(source, scope, signal) {
      const key = sourceKey(source);
      const own = { ...scope, sources: [source] };
      const { signal: stop, unlink } = linkSignals(closing, signal);
      const hear = (event: SyncEvent): void => {
        touch();
        void tell(own, event);
        live.pass(key, event);
      };
      return live
        .keep(key, async () => {
          // Folders are scanned when their watch starts; other sources are synced once.
          if (source.type === 'filesystem') return knowledge.watch(own, stop, hear);
          const [known] = await knowledge.sources(own);
          if (known?.healthy) return;
          for await (const event of run((end) => knowledge.sync({}, own, end), {}, stop)) hear(event);
        })
        .finally(unlink);
    },

    async removeGone(layer, signal) {
      for await (const _ of run((stop) => removing(layer, {}, stop), {}, signal)) touch();
    },

    use() {
      const { open, lastAt } = use();
      return { open: Math.max(open, knowledge.isSyncing() ? 1 : 0), lastAt };
    },
  };
}
