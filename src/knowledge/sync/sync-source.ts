import type { SyncCounts, SyncEvent } from '../../contract/knowledge.ts';
import { codeOf } from '../../platform/files/text-file.ts';
import type { CountTokens } from '../../platform/text/token-count.ts';
import type { ChunkSettings } from '../chunking/pack-section.ts';
import type { ConfiguredSource, Connector, RunScript, ScanEnd, ScannedItem } from '../connector.ts';
import type { IndexWriter, ManifestEntry } from '../index/index-writer.ts';
import { reasonOf, SourceError } from '../source-error.ts';
import { sourceId } from '../source-reference.ts';
import { createItemSync, hashContent, type ReadContent, type Work } from './item-sync.ts';
import { createSettingsHash, createVanished, isUnseen, mustRead } from './plan.ts';
import { createProgress } from './progress.ts';
import { readAhead } from './read-ahead.ts';
import { createWriteQueue, type WriteQueue } from './write-queue.ts';
import { noCounts } from './sync-counts.ts';

export interface SourceSync {
  source: ConfiguredSource;
  connector: Connector;
  writer: IndexWriter;
  settings: ChunkSettings;
  /** Asked for when the first text is to be cut: it takes a while to load. */
  loadCount(): Promise<CountTokens>;
  full: boolean;
  dryRun: boolean;
  /** Where its connector may keep what it fetches. */
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
 * Brings one source up to date. What was done stays done, batch by batch, however it ends; a source that cannot be
 * looked at keeps what it has. Never throws.
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
    // Whoever hands over only what is new must hand over again what could not be taken.
    if (!end.partial || counts.failed === 0) checkpoint = end.checkpoint ?? null;
    finish(sync, number, { error: null, checkpoint, skipped: counts.skipped });
    return { ok: true, error: null, counts };
  } catch (error) {
    const reason = sync.signal.aborted
      ? 'The sync was stopped before its end. What was done is kept, and the next one goes on from there.'
      : reasonOf(error);
    try {
      queue.flush();
      finish(sync, number, { error: reason, checkpoint, skipped: counts.skipped });
    } catch (second) {
      // The disk is full, say, and the same was just said.
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

async function run(
  sync: SourceSync,
  number: number | null,
  checkpoint: unknown,
  { counts, queue, onEnd }: { counts: SyncCounts; queue: WriteQueue; onEnd: (work: () => void) => void },
): Promise<ScanEnd> {
  const { source, connector, writer, signal, full } = sync;
  const id = sourceId(source);
  const progress = createProgress(id, (event) => sync.emit(event));
  const known = new Map<string, ManifestEntry>();
  if (number !== null) for (const entry of writer.manifest(number)) known.set(entry.path, entry);
  const settingsHash = createSettingsHash(sync.settings);
  const items = createItemSync({ ...sync, number: number ?? 0, queue, counts });

  const contents = new Set(
    connector.streams ? [...known.values()].map(({ contentHash }) => contentHash) : [],
  );
  const unseen = new Set<string>();
  const later: Work[] = [];
  const seen = new Set<string>();
  const scan = connector.scan(source, {
    signal,
    cache: sync.cache,
    checkpoint: full ? null : checkpoint,
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

  let end: ScanEnd;
  for (;;) {
    const { value, done } = await scan.next();
    signal.throwIfAborted();
    if (done) {
      end = value ?? {};
      break;
    }
    for (const item of isSeveral(value) ? value : [value]) {
      const work = plan(item);
      if (work !== null && !(connector.streams && (await settleNow(work)))) later.push(work);
    }
    progress.step('scan', counts);
  }

  const vanished = createVanished(
    end.partial ? [] : [...known.values()].filter(({ path }) => !isUnseen(path, unseen)),
  );
  progress.total(counts, later);
  for await (const result of readAhead(
    later.map((work) => ({ ...work, bytes: work.item.bytes })),
    ({ item }) => item.read(signal),
  )) {
    signal.throwIfAborted();
    await items.settle(result.item, result, vanished, (from) => known.delete(from));
    progress.step('index', counts);
  }
  for (const entry of end.partial ? [] : known.values()) {
    if (!isUnseen(entry.path, unseen)) items.remove(entry);
  }
  queue.flush();
  progress.end(counts);
  return end;

  function plan(item: ScannedItem): Work | null {
    counts.scanned++;
    if (connector.streams) {
      if (seen.has(item.path)) {
        sync.emit(problem(sync, item.path, 'is there twice: only the first one counts'));
        return null;
      }
      seen.add(item.path);
    }
    const entry = known.get(item.path);
    known.delete(item.path);
    const settings = settingsHash(item);
    if (mustRead(item, entry, settings, full)) return { item, known: entry, settingsHash: settings };
    if (entry?.problem) items.leaveOut(item.path, entry.problem.reason);
    else counts.unchanged++;
    return null;
  }

  /** False for one that may be what became of another: that is known when all have been seen. */
  async function settleNow(work: Work): Promise<boolean> {
    const result = await readNow(work.item, signal);
    if (!work.known && 'content' in result && contents.has(hashContent(result.content))) return false;
    await items.settle(work, result, NOTHING_VANISHED, () => undefined);
    return true;
  }
}

/** `Array.isArray` says nothing about arrays that may not be written. */
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
