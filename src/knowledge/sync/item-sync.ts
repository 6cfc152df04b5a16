import { createHash } from 'node:crypto';
import { ZooError } from '../../contract/errors.ts';
import type { SyncCounts, SyncEvent } from '../../contract/knowledge.ts';
import type { CountTokens } from '../../platform/text/token-count.ts';
import { chunkDocument } from '../chunking/chunk-document.ts';
import type { ChunkSettings } from '../chunking/pack-section.ts';
import type { ConfiguredSource, ScannedItem } from '../connector.ts';
import type { ConvertDocument } from '../extraction/converted-document.ts';
import { extractDocument } from '../extraction/extract-document.ts';
import type { IndexWriter, ManifestEntry } from '../index/index-writer.ts';
import { reasonOf } from '../source-error.ts';
import { createItemReport } from './item-report.ts';
import { createItemWrites, type FailedItem } from './item-writes.ts';
import { hasDocument, type Outcome, settle, type Vanished } from './plan.ts';
import type { WriteQueue } from './write-queue.ts';

/** An item to read, and its entry in the manifest. */
export interface Work {
  item: ScannedItem;
  known: ManifestEntry | undefined;
  settingsHash: string;
}

export type ReadContent = { content: Uint8Array | string } | { error: unknown };

export interface ItemSync {
  /** Indexes an item. Throws only if the index cannot be written, or when aborted. */
  settle(work: Work, read: ReadContent, vanished: Vanished, onMoved: (from: string) => void): Promise<void>;
  fail(item: FailedItem, known: ManifestEntry | undefined, reason: string): void;
  remove(entry: ManifestEntry): void;
  /** Counts an item that is skipped by design. */
  leaveOut(path: string, reason: string): void;
}

export interface ItemSyncOptions {
  source: ConfiguredSource;
  number: number;
  writer: IndexWriter;
  queue: WriteQueue;
  settings: ChunkSettings;
  /** Called when the first text is split: loading takes a while. */
  loadCount(): Promise<CountTokens>;
  convert: ConvertDocument;
  full: boolean;
  dryRun: boolean;
  counts: SyncCounts;
  signal: AbortSignal;
  now(): Date;
  emit(event: SyncEvent): void;
}

export function createItemSync(options: ItemSyncOptions): ItemSync {
  const { number, writer, counts, dryRun, signal } = options;
  const report = createItemReport(options);
  const { write, fail, skip } = createItemWrites(options, report);

  async function store(
    { item, known }: Work,
    content: Uint8Array | string,
    entry: ManifestEntry,
    outcome: Outcome,
  ): Promise<void> {
    const extraction = await extractDocument(content, item, options);
    if (extraction.kind === 'skipped') {
      skip(entry, known, extraction.reason);
      return;
    }
    const { document } = extraction;
    if (extraction.note !== null) report.problem(item.path, extraction.note);
    const told = { url: item.url ?? null, updatedAt: instantOf(item.updatedAt) };
    if (outcome.kind === 'moved') {
      const { from } = outcome;
      const move = () => writer.move(number, from, entry, { ...told, title: document.title });
      write(item.path, entry.bytes, move, report.outcome(outcome, item.path));
      return;
    }
    if (dryRun) {
      report.outcome(outcome, item.path);
      return;
    }
    const chunks = await chunkDocument(document, item.path, options.settings, await options.loadCount());
    signal.throwIfAborted();
    const uncount = report.outcome(outcome, item.path);
    counts.chunks += chunks.length;
    const put = () => writer.put(number, entry, { ...document, ...told }, chunks);
    write(item.path, entry.bytes * 2, put, () => {
      uncount();
      counts.chunks -= chunks.length;
    });
  }

  return {
    fail,
    leaveOut: report.skipped,

    remove(entry) {
      const uncount = hasDocument(entry) ? report.deleted(entry.path) : undefined;
      write(entry.path, 0, () => writer.remove(number, entry.path), uncount);
    },

    async settle(work, read, vanished, onMoved) {
      const { item, known, settingsHash } = work;
      signal.throwIfAborted();
      if ('error' in read) {
        fail(item, known, reasonOf(read.error));
        return;
      }
      const { content } = read;
      const bytes = typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength;
      counts.bytes += bytes;
      const contentHash = hashContent(content);
      const { path, fingerprint } = item;
      const entry: ManifestEntry = { path, fingerprint, contentHash, settingsHash, bytes, problem: null };
      if (!options.full && known && isSettled(known, entry)) {
        const skipped = known.problem?.kind === 'skipped';
        if (skipped) report.skipped(path, known.problem?.reason ?? '');
        else counts.unchanged++;
        const next = skipped ? { ...entry, problem: known.problem } : entry;
        if (known.fingerprint !== fingerprint || known.problem?.kind === 'failed')
          write(path, 0, () => writer.touch(number, next));
        return;
      }
      const outcome = settle({ contentHash, settingsHash }, known, vanished);
      try {
        await store(work, content, entry, outcome);
        if (outcome.kind === 'moved') onMoved(outcome.from);
      } catch (error) {
        signal.throwIfAborted();
        // A `ZooError` is about the index as a whole, and ends the sync.
        if (error instanceof ZooError) throw error;
        fail(item, known, reasonOf(error));
      }
    },
  };
}

/** Whether the index already has this content, or skipped it. */
function isSettled(known: ManifestEntry, entry: ManifestEntry): boolean {
  return known.contentHash === entry.contentHash && known.settingsHash === entry.settingsHash;
}

function instantOf(time: string | number | undefined): string | null {
  if (time === undefined) return null;
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** 128 bits are enough, and each sync reads all hashes. */
export function hashContent(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32);
}
