import type { SyncCounts, SyncEvent } from '../../contract/knowledge.ts';
import type { ChunkSettings } from '../chunking/pack-section.ts';
import type { ConfiguredSource, ScanEnd, ScriptItem } from '../connector.ts';
import type { SourceKey } from '../index/index-reader.ts';

/** The worker data of the sync thread. */
export interface SyncThreadData {
  /** The index file. */
  index: string;
  /** Holds a folder per source for fetched data. */
  cache: string;
}

export interface SyncRequest {
  sources: readonly ConfiguredSource[];
  settings: ChunkSettings;
  full: boolean;
  dryRun: boolean;
  /** Whether changes are reported one by one. */
  changes: boolean;
}

/** To the thread. `run` is a sync or watch, `call` a script that runs for it. */
export type ToSyncThread =
  | { type: 'sync'; run: number; request: SyncRequest }
  | { type: 'watch'; run: number; request: SyncRequest }
  | { type: 'remove'; run: number; sources: readonly SourceKey[] }
  | { type: 'stop'; run: number }
  | { type: 'script-item'; call: number; item: ScriptItem }
  | { type: 'script-end'; call: number; end: ScanEnd }
  | { type: 'script-failed'; call: number; reason: string }
  | { type: 'close' };

/** From the thread. A source that is `indexed` is `done` after embedding. */
export type FromSyncThread =
  | { type: 'event'; run: number; event: SyncEvent }
  | { type: 'indexed'; run: number; source: number; result: IndexedSource }
  | { type: 'end'; run: number; error: string | null }
  | { type: 'script'; run: number; call: number; source: ConfiguredSource; checkpoint: unknown }
  /** Ready for another item. */
  | { type: 'script-more'; call: number }
  | { type: 'script-stop'; call: number };

export interface IndexedSource {
  ok: boolean;
  error: string | null;
  counts: SyncCounts;
  tookMs: number;
}

/** Not a zod schema, so that the thread starts faster. */
export function isSyncThreadData(value: unknown): value is SyncThreadData {
  if (typeof value !== 'object' || value === null || !('index' in value) || !('cache' in value)) return false;
  return typeof value.index === 'string' && typeof value.cache === 'string';
}
