import type { SyncCounts } from '../../contract/knowledge.ts';
import type { ScannedItem } from '../connector.ts';
import type { IndexWriter, ManifestEntry } from '../index/index-writer.ts';
import { reasonOf } from '../source-error.ts';
import type { ItemReport } from './item-report.ts';
import { hasDocument } from './plan.ts';
import type { WriteQueue } from './write-queue.ts';

export type FailedItem = Pick<ScannedItem, 'path' | 'fingerprint' | 'bytes'>;

export interface ItemWritesOptions {
  number: number;
  writer: IndexWriter;
  queue: WriteQueue;
  counts: SyncCounts;
  dryRun: boolean;
  now(): Date;
}

/** Queues writes for items, and records failed and skipped ones. A dry run writes nothing. */
export function createItemWrites(
  { number, writer, queue, counts, dryRun, now }: ItemWritesOptions,
  report: ItemReport,
) {
  /** @param uncount reverts the counts if it is not written */
  function write(path: string, bytes: number, run: () => void, uncount: () => void = () => undefined): void {
    if (dryRun) return;
    queue.push({
      run,
      bytes,
      failed(error) {
        uncount();
        fail({ path, fingerprint: null, bytes }, undefined, reasonOf(error));
      },
      lost: uncount,
    });
  }

  function fail(
    { path, fingerprint, bytes }: FailedItem,
    known: ManifestEntry | undefined,
    reason: string,
  ): void {
    counts.failed++;
    report.problem(path, reason);
    const since = known?.problem?.kind === 'failed' ? known.problem.since : now().toISOString();
    const entry: ManifestEntry = {
      path,
      fingerprint,
      // An indexed document is kept: it has these bytes.
      contentHash: known && hasDocument(known) ? known.contentHash : null,
      settingsHash: known?.settingsHash ?? null,
      bytes: bytes ?? 0,
      problem: { kind: 'failed', reason, since },
    };
    write(path, 0, () => writer.problem(number, entry));
  }

  function skip(entry: ManifestEntry, known: ManifestEntry | undefined, reason: string): void {
    report.skipped(entry.path, reason);
    const problem = { kind: 'skipped', reason, since: now().toISOString() } as const;
    const uncount = known && hasDocument(known) ? report.deleted(entry.path) : undefined;
    const replace = () => {
      writer.remove(number, entry.path);
      writer.problem(number, { ...entry, problem });
    };
    write(entry.path, 0, replace, uncount);
  }

  return { write, fail, skip };
}
