import type { SyncEvent } from '../../contract/knowledge.ts';
import type { Knowledge, KnowledgeScope } from '../../knowledge/knowledge.ts';
import { sourceKey } from '../../knowledge/source-reference.ts';
import { createSyncQueue } from '../../knowledge/sync/sync-queue.ts';

/** The sources that are kept live, and who listens to their events. */
export interface LiveSources {
  /** Marks a source as kept live for as long as `work` runs. */
  keep(key: string, work: () => Promise<void>): Promise<void>;
  /** Passes on an event of a source that is kept live. */
  pass(key: string, event: SyncEvent): void;
  /** Follows later changes. Sources that are already live are only listened to. */
  watching(
    scopes: readonly KnowledgeScope[],
    changes: boolean,
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent>;
}

export function createLiveSources(
  knowledge: Pick<Knowledge, 'watch'>,
  tell: (scope: KnowledgeScope, event: SyncEvent) => Promise<void>,
): LiveSources {
  const live = new Set<string>();
  const listeners = new Set<(key: string, event: SyncEvent) => void>();

  async function* watching(
    scopes: readonly KnowledgeScope[],
    changes: boolean,
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent> {
    const events = createSyncQueue();
    const wanted = new Set(scopes.flatMap(({ sources }) => sources.map(sourceKey)));
    const hear = (key: string, event: SyncEvent): void => {
      if (wanted.has(key)) events.push(event);
    };
    const watches = scopes.map(async (scope) => {
      const sources = scope.sources.filter((source) => !live.has(sourceKey(source)));
      if (sources.length === 0) return;
      await knowledge.watch({ ...scope, sources }, signal, (event) => {
        void tell(scope, event);
        events.push(event);
      });
    });
    signal.addEventListener('abort', events.end, { once: true });
    if (signal.aborted) events.end();
    listeners.add(hear);
    for (const watch of watches) watch.catch(events.fail);
    try {
      for await (const event of events.read()) if (changes || event.type !== 'change') yield event;
    } finally {
      listeners.delete(hear);
      await Promise.allSettled(watches);
    }
  }

  return {
    watching,
    async keep(key, work) {
      live.add(key);
      try {
        await work();
      } finally {
        live.delete(key);
      }
    },
    pass: (key, event) => {
      for (const listener of listeners) listener(key, event);
    },
  };
}
