import type { SyncCounts, SyncEvent } from '../../contract/knowledge.ts';

type Phase = 'scan' | 'index' | 'embed';

export interface Progress {
  /** Everything has been counted: this is left to be read. */
  total(counts: SyncCounts, left: readonly { item: { bytes: number | null } }[]): void;
  step(phase: Phase, counts: SyncCounts): void;
  end(counts: SyncCounts): void;
}

const EVERY_MS = 100;
const SETTLED_MS = 2_000;

/** Says how far a sync is, ten times a second at most, and how long it will take at the pace it has. */
export function createProgress(source: string, emit: (event: SyncEvent) => void): Progress {
  const startedAt = performance.now();
  let saidAt = startedAt;
  let total: { documents: number; bytes: number; at: number; done: number; before: number } | null = null;

  function say(phase: Phase, counts: SyncCounts): void {
    const now = performance.now();
    saidAt = now;
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
      say('scan', counts);
    },
    step(phase, counts) {
      if (performance.now() - saidAt >= EVERY_MS) say(phase, counts);
    },
    end: (counts) => say('index', counts),
  };
}

/** By bytes where they are known, by documents otherwise. */
function remainingOf(
  total: { documents: number; bytes: number; at: number; done: number; before: number },
  current: { documents: number; bytes: number; now: number },
): number | null {
  const byBytes = total.bytes > total.before;
  const done = byBytes ? current.bytes - total.before : current.documents - total.done;
  const left = byBytes ? total.bytes - current.bytes : total.documents - current.documents;
  return remainingMs(current.now - total.at, done, left);
}

/** At the pace it had so far; null while that says nothing: what is first takes the time to load what it needs. */
export function remainingMs(tookMs: number, done: number, left: number): number | null {
  if (left <= 0) return 0;
  return done > 0 && tookMs >= SETTLED_MS ? (tookMs / done) * left : null;
}
