import type { SyncCounts, SyncEvent } from '../../contract/knowledge.ts';
import { codeOf } from '../../platform/files/text-file.ts';
import type { CountTokens } from '../../platform/text/token-count.ts';
import type { ChunkSettings } from '../chunking/pack-section.ts';
import type { ConfiguredSource, Connector, RunScript, ScanEnd, ScannedItem } from '../connector.ts';
import type { ConvertDocument } from '../extraction/converted-document.ts';
import type { IndexWriter, ManifestEntry } from '../index/index-writer.ts';
import { reasonOf, SourceError } from '../source-error.ts';
import { sourceId } from '../source-reference.ts';
import { createItemSync, hashContent, type ItemSync, type ReadContent, type Work } from './item-sync.ts';
import { createSettingsHash, createVanished, isUnseen, mustRead } from './plan.ts';
import { createProgress, type Progress } from './progress.ts';
import { readAhead } from './read-ahead.ts';
import { noCounts } from './sync-counts.ts';
import { createWriteQueue, type WriteQueue } from './write-queue.ts';

export interface SourceSync {
  source: ConfiguredSource;
  connector: Connector;
  writer: IndexWriter;
  settings: ChunkSettings;
  /** Called when the first text is split: loading takes a while. */
  loadCount(): Promise<CountTokens>;
  convert: ConvertDocument;
  full: boolean;
  dryRun: boolean;
  /** A folder for data that the connector fetches. */
  cache: string;
  runScript: RunScript | null;
  signal: AbortSignal;
  now(): Date;
  emit(event: SyncEvent): void;
}

export interface SourceResult {
  ok: boolean;
  error: string | null;
  counts: SyncCounts;
}

/**
 * Syncs one source. Completed batches are kept even if it fails, and a source that cannot be read keeps its
 * documents. Never throws.
 */
export async function syncSource(sync: SourceSync): Promise<SourceResult> {
  const counts = noCounts();
  const cleanUps: (() => void)[] = [];
  const queue = createWriteQueue(sync.writer);
  let number: number | null = null;
  let checkpoint: unknown = null;
  try {
    const { source, connector, writer, dryRun } = sync;
    number = dryRun ? writer.findSource(source) : writer.openSource(source, connector.location(source));
    checkpoint = number === null ? null : writer.checkpoint(number);
    if (source.unset) throw new SourceError(source.unset);
    const end = await run(sync, number, checkpoint, { counts, queue, onEnd: (work) => cleanUps.push(work) });
    // A connector that yields only new items has to yield failed ones again.
    if (!end.partial || counts.failed === 0) checkpoint = end.checkpoint ?? null;
    finish(sync, number, { error: null, checkpoint, skipped: counts.skipped });
    return { ok: true, error: null, counts };
  } catch (error) {
    const reason = sync.signal.aborted
      ? 'The sync was stopped. Completed work is kept, and the next sync continues from there.'
      : reasonOf(error);
    try {
      queue.flush();
      finish(sync, number, { error: reason, checkpoint, skipped: counts.skipped });
    } catch (second) {
      // A full disk, for example, has just been reported.
      if (codeOf(second) === null && reasonOf(second) !== reason)
        sync.emit(problem(sync, null, reasonOf(second)));
    }
    return { ok: false, error: reason, counts };
  } finally {
    for (const cleanUp of cleanUps) cleanUp();
  }
}

function finish(
  { writer, dryRun, now }: SourceSync,
  number: number | null,
  result: { error: string | null; checkpoint: unknown; skipped: number },
): void {
  if (!dryRun && number !== null) writer.finish(number, { at: now().toISOString(), ...result });
}

/** The state of one sync. */
interface SyncState {
  sync: SourceSync;
  counts: SyncCounts;
  items: ItemSync;
  progress: Progress;
  /** Items of the manifest that the scan has not yielded yet. */
  known: Map<string, ManifestEntry>;
  /** Paths and folders that could not be checked. */
  unseen: Set<string>;
}

async function run(
  sync: SourceSync,
  number: number | null,
  checkpoint: unknown,
  { counts, queue, onEnd }: { counts: SyncCounts; queue: WriteQueue; onEnd: (work: () => void) => void },
): Promise<ScanEnd> {
  const manifest = number === null ? [] : sync.writer.manifest(number);
  const state: SyncState = {
    sync,
    counts,
    items: createItemSync({ ...sync, number: number ?? 0, queue, counts }),
    progress: createProgress(sourceId(sync.source), (event) => sync.emit(event)),
    known: new Map(Array.from(manifest, (entry) => [entry.path, entry])),
    unseen: new Set(),
  };
  const { later, end } = await scanItems(state, sync.full ? null : checkpoint, onEnd);
  const gone = () =>
    end.partial ? [] : [...state.known.values()].filter((entry) => !isUnseen(entry.path, state.unseen));
  await indexItems(state, later, gone());
  for (const entry of gone()) state.items.remove(entry);
  queue.flush();
  state.progress.end(counts);
  return end;
}

/** Scans all items, and returns those that have to be read. Items of a streaming connector are indexed at once. */
async function scanItems(
  state: SyncState,
  checkpoint: unknown,
  onEnd: (work: () => void) => void,
): Promise<{ later: Work[]; end: ScanEnd }> {
  const { sync, items, known, unseen } = state;
  const scan = sync.connector.scan(sync.source, {
    signal: sync.signal,
    cache: sync.cache,
    checkpoint,
    runScript: sync.runScript,
    problem: (path, reason) => sync.emit(problem(sync, path, reason)),
    skip: (path, reason) => items.leaveOut(path, reason),
    unseen(path, reason) {
      unseen.add(path);
      items.fail({ path, fingerprint: null, bytes: 0 }, known.get(path), reason);
      known.delete(path);
    },
    onEnd,
  });
  const plan = createPlan(state);
  const settleNow = createStreamedSync(state);
  const later: Work[] = [];
  for (;;) {
    const { value, done } = await scan.next();
    sync.signal.throwIfAborted();
    if (done) return { later, end: value ?? {} };
    for (const item of isSeveral(value) ? value : [value]) {
      const work = plan(item);
      if (work && !(sync.connector.streams && (await settleNow(work)))) later.push(work);
    }
    state.progress.step('scan', state.counts);
  }
}

/** Decides whether an item has to be read. Null for one that is unchanged or was yielded before. */
function createPlan({ sync, counts, items, known }: SyncState): (item: ScannedItem) => Work | null {
  const settingsHash = createSettingsHash(sync.settings);
  const seen = new Set<string>();
  return (item) => {
    counts.scanned++;
    if (sync.connector.streams) {
      if (seen.has(item.path)) {
        sync.emit(problem(sync, item.path, 'is a duplicate: only the first one is indexed'));
        return null;
      }
      seen.add(item.path);
    }
    const entry = known.get(item.path);
    known.delete(item.path);
    const settings = settingsHash(item);
    if (mustRead(item, entry, settings, sync.full)) return { item, known: entry, settingsHash: settings };
    if (entry?.problem) items.leaveOut(item.path, entry.problem.reason);
    else counts.unchanged++;
    return null;
  };
}

/** Indexes an item of a streaming connector. False if it may have been moved; the end of the scan decides. */
function createStreamedSync({ sync, items, known }: SyncState): (work: Work) => Promise<boolean> {
  const contents = new Set(
    sync.connector.streams ? [...known.values()].map(({ contentHash }) => contentHash) : [],
  );
  return async (work) => {
    const result = await readNow(work.item, sync.signal);
    if (!work.known && 'content' in result && contents.has(hashContent(result.content))) return false;
    await items.settle(work, result, NOTHING_VANISHED, () => undefined);
    return true;
  };
}

async function indexItems(state: SyncState, works: readonly Work[], gone: ManifestEntry[]): Promise<void> {
  const { sync, counts, items, known, progress } = state;
  const vanished = createVanished(gone);
  progress.total(counts, works);
  const sized = works.map((work) => ({ ...work, bytes: work.item.bytes }));
  for await (const result of readAhead(sized, ({ item }) => item.read(sync.signal))) {
    sync.signal.throwIfAborted();
    await items.settle(result.item, result, vanished, (from) => known.delete(from));
    progress.step('index', counts);
  }
}

/** `Array.isArray` does not narrow readonly arrays. */
const isSeveral = (value: ScannedItem | readonly ScannedItem[]): value is readonly ScannedItem[] =>
  Array.isArray(value);

const NOTHING_VANISHED = createVanished([]);

async function readNow(item: ScannedItem, signal: AbortSignal): Promise<ReadContent> {
  try {
    return { content: await item.read(signal) };
  } catch (error) {
    return { error };
  }
}

const problem = ({ source }: SourceSync, path: string | null, reason: string): SyncEvent => ({
  type: 'problem',
  source: sourceId(source),
  path,
  reason,
});
