import type { SyncCounts, SyncEvent } from '../../contract/knowledge.ts';
import type { ChunkSettings } from '../chunking/pack-section.ts';
import type { ConfiguredSource, ScanEnd, ScriptItem } from '../connector.ts';
import type { SourceKey } from '../index/index-reader.ts';

/** What the thread that syncs is started with. */
export interface SyncThreadData {
  /** The file of the index. */
  index: string;
  /** A folder in which each source has one of its own for what it fetches. */
  cache: string;
}

export interface SyncRequest {
  sources: readonly ConfiguredSource[];
  settings: ChunkSettings;
  full: boolean;
  dryRun: boolean;
  /** Whether every change is told, and not only counted. */
  changes: boolean;
}

/** To the thread. `run` is a sync or a watch, `call` a script that runs for one. */
export type ToSyncThread =
  | { type: 'sync'; run: number; request: SyncRequest }
  | { type: 'watch'; run: number; request: SyncRequest }
  | { type: 'remove'; run: number; sources: readonly SourceKey[] }
  | { type: 'stop'; run: number }
  | { type: 'script-item'; call: number; item: ScriptItem }
  | { type: 'script-end'; call: number; end: ScanEnd }
  | { type: 'script-failed'; call: number; reason: string }
  | { type: 'close' };

/** From the thread. What is said of a source when it is indexed becomes `done` once it is embedded as well. */
export type FromSyncThread =
  | { type: 'event'; run: number; event: SyncEvent }
  | { type: 'indexed'; run: number; source: number; result: IndexedSource }
  | { type: 'end'; run: number; error: string | null }
  | { type: 'script'; run: number; call: number; source: ConfiguredSource; checkpoint: unknown }
  /** There is room for another item. */
  | { type: 'script-more'; call: number }
  | { type: 'script-stop'; call: number };

export interface IndexedSource {
  ok: boolean;
  error: string | null;
  counts: SyncCounts;
  tookMs: number;
}

/** By hand, so that the thread starts without a schema library. */
export function isSyncThreadData(value: unknown): value is SyncThreadData {
  if (typeof value !== 'object' || value === null || !('index' in value) || !('cache' in value)) return false;
  return typeof value.index === 'string' && typeof value.cache === 'string';
}
