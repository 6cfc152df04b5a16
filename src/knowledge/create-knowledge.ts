import { createEmbedder } from './embedding/embed-events.ts';
import type { IndexReader } from './index/index-reader.ts';
import type { Knowledge } from './knowledge.ts';
import { createReading } from './knowledge-reading.ts';
import { createSyncing } from './knowledge-syncing.ts';
import { lazily } from './lazily.ts';
import type { Syncer, SyncerOptions } from './sync/create-syncer.ts';
import type { SyncLocks } from './sync/sync-lock.ts';

export interface KnowledgeOptions {
  /** Called with the first request. */
  openReader(): Promise<IndexReader>;
  openSyncer(options: Required<Pick<SyncerOptions, 'embed'>>): Promise<Syncer>;
  locks: SyncLocks;
}

/** Combines reading and syncing of the index, which run in separate threads. */
export function createKnowledge({ openReader, openSyncer, locks }: KnowledgeOptions): Knowledge {
  const reader = lazily(openReader);
  const embedder = createEmbedder(reader.get);
  const syncer = lazily(() => openSyncer({ embed: embedder.embed }));
  const syncing = new Set<string>();
  return {
    ...createReading(reader, (key) => syncing.has(key)),
    ...createSyncing({ reader, syncer, embedder, locks, syncing }),
    isSyncing: () => syncing.size > 0,
    async close() {
      await Promise.all([reader.close(), syncer.close()]);
    },
  };
}
