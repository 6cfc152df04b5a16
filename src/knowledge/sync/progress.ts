import type { SyncCounts, SyncEvent } from '../../contract/knowledge.ts';

type Phase = 'scan' | 'index' | 'embed';

export interface Progress {
  /** The scan is complete, and these items remain to be read. */
  total(counts: SyncCounts, left: readonly { item: { bytes: number | null } }[]): void;
  step(phase: Phase, counts: SyncCounts): void;
  end(counts: SyncCounts): void;
}

const EVERY_MS = 100;
const SETTLED_MS = 2_000;

/** Reports progress at most ten times a second, with an estimate of the time left. */
export function createProgress(source: string, emit: (event: SyncEvent) => void): Progress {
  const startedAt = performance.now();
  let reportedAt = startedAt;
  let total: { documents: number; bytes: number; at: number; done: number; before: number } | null = null;

  function report(phase: Phase, counts: SyncCounts): void {
    const now = performance.now();
    reportedAt = now;
    const { unchanged, added, changed, moved, failed, skipped, bytes } = counts;
    const documents = unchanged + added + changed + moved + failed + skipped;
    const remaining = total && remainingOf(total, { documents, bytes, now });
    emit({
      type: 'progress',
      source,
      phase,
      documents: total ? Math.min(documents, total.documents) : documents,
      totalDocuments: total?.documents ?? null,
      bytes,
      totalBytes: total?.bytes ?? null,
      elapsedMs: now - startedAt,
      remainingMs: remaining,
    });
  }

  return {
    total(counts, left) {
      const bytes = left.reduce((sum, { item }) => sum + (item.bytes ?? 0), counts.bytes);
      const { unchanged, added, changed, moved, failed, skipped } = counts;
      const done = unchanged + added + changed + moved + failed + skipped;
      total = { documents: done + left.length, bytes, at: performance.now(), done, before: counts.bytes };
      report('scan', counts);
    },
    step(phase, counts) {
      if (performance.now() - reportedAt >= EVERY_MS) report(phase, counts);
    },
    end: (counts) => report('index', counts),
  };
}

/** By bytes if they are known, otherwise by documents. */
function remainingOf(
  total: { documents: number; bytes: number; at: number; done: number; before: number },
  current: { documents: number; bytes: number; now: number },
): number | null {
  const byBytes = total.bytes > total.before;
  const done = byBytes ? current.bytes - total.before : current.documents - total.done;
  const left = byBytes ? total.bytes - current.bytes : total.documents - current.documents;
  return remainingMs(current.now - total.at, done, left);
}

/** Estimated from the pace so far; null in the first seconds, which are spent on loading. */
export function remainingMs(tookMs: number, done: number, left: number): number | null {
  if (left <= 0) return 0;
  return done > 0 && tookMs >= SETTLED_MS ? (tookMs / done) * left : null;
}
