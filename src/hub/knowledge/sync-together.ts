import type { SyncEvent } from '../../contract/knowledge.ts';
import type { KnowledgeScope } from '../../knowledge/knowledge.ts';
import { addCounts, noCounts } from '../../knowledge/sync/sync-counts.ts';
import { sourceId } from '../../knowledge/source-reference.ts';

/**
 * Several syncs, one after another, as one: it starts once and ends once.
 *
 * @param removals what is done after them
 */
export async function* syncTogether(
  scopes: readonly KnowledgeScope[],
  dryRun: boolean,
  syncs: readonly AsyncGenerator<SyncEvent>[],
  removals: readonly AsyncGenerator<SyncEvent>[] = [],
): AsyncGenerator<SyncEvent> {
  const counts = noCounts();
  const startedAt = performance.now();
  let ok = true;
  const sources = scopes.flatMap((scope) => scope.sources.map(sourceId));
  for (const [index, sync] of syncs.entries()) {
    for await (const event of sync) {
      // Failures before the start are thrown, so no event is sent before then.
      if (event.type === 'start') {
        if (index === 0) yield { type: 'start', sources, dryRun };
      } else if (event.type === 'end') {
        ok &&= event.ok;
        addCounts(counts, event.counts);
      } else yield event;
    }
  }
  if (syncs.length === 0) yield { type: 'start', sources, dryRun };
  for (const removal of removals) {
    for await (const event of removal) {
      if (event.type === 'removed') counts.deleted += event.documents;
      yield event;
    }
  }
  yield { type: 'end', ok, counts, tookMs: performance.now() - startedAt };
}
