import type { SyncCounts, SyncEvent } from '../../contract/knowledge.ts';
import type { ConfiguredSource } from '../connector.ts';
import { sourceId } from '../source-reference.ts';
import type { Outcome } from './plan.ts';

export interface ItemReport {
  problem(path: string, reason: string): void;
  /** Skipped by design: listed in a dry run, otherwise only counted. */
  skipped(path: string, reason: string): void;
  /** Returns a function that reverts the count, as do the others. */
  deleted(path: string): () => void;
  outcome(outcome: Outcome, path: string): () => void;
}

/** Counts and reports what happens to the items of a source. */
export function createItemReport({
  source,
  counts,
  dryRun,
  emit,
}: {
  source: ConfiguredSource;
  counts: SyncCounts;
  dryRun: boolean;
  emit(event: SyncEvent): void;
}): ItemReport {
  const id = sourceId(source);
  return {
    problem: (path, reason) => emit({ type: 'problem', source: id, path, reason }),

    skipped(path, reason) {
      counts.skipped++;
      if (dryRun) emit({ type: 'skip', source: id, path, reason });
    },

    deleted(path) {
      counts.deleted++;
      emit({ type: 'change', source: id, path, change: 'deleted' });
      return () => counts.deleted--;
    },

    outcome(outcome, path) {
      if (outcome.kind === 'same') {
        counts.unchanged++;
        return () => counts.unchanged--;
      }
      const { kind } = outcome;
      counts[kind]++;
      const from = outcome.kind === 'moved' ? { from: outcome.from } : {};
      emit({ type: 'change', source: id, path, change: kind, ...from });
      return () => counts[kind]--;
    },
  };
}
