import type { Config } from '../contract/config.ts';
import type { SyncEvent, SyncOptions } from '../contract/knowledge.ts';
import type { ConfiguredSource } from './connector.ts';

/** Sources of one config, and how it wants them cut. */
export interface SyncScope {
  sources: readonly ConfiguredSource[];
  chunking: NonNullable<Config['chunking']>;
}

/**
 * The syncing side, in a thread of its own. `create-knowledge.ts` sees to it that one process syncs at a time, and to
 * vectors: what is synced here has none yet, and `counts.embedded` is 0.
 */
export interface Syncer {
  /**
   * One source after another; one that fails is told by its `done`, and the others go on. A source that is being
   * synced already is waited for. Throws only before the first event, or for a bug.
   */
  sync(
    options: Pick<SyncOptions, 'full' | 'dry_run'>,
    scope: SyncScope,
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent>;
  /**
   * Tells which sources may have changed, gathered for a moment so that a burst of saves is one change. Those that
   * cannot be watched are left out. Resolves when the signal aborts.
   */
  watch(
    sources: readonly ConfiguredSource[],
    signal: AbortSignal,
    onChange: (changed: readonly ConfiguredSource[]) => void,
  ): Promise<void>;
  /** Where a source is read from, for people, without secrets. */
  location(source: ConfiguredSource): string;
  /** Drops sources that no config has any more, by what names them. */
  forget(sources: readonly Pick<ConfiguredSource, 'owner' | 'type' | 'name'>[]): Promise<void>;
  close(): Promise<void>;
}
