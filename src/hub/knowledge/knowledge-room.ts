import { existsSync } from 'node:fs';
import type { SyncEvent } from '../../contract/knowledge.ts';
import type { RunScript } from '../../knowledge/connector.ts';
import { createKnowledge } from '../../knowledge/create-knowledge.ts';
import type { Knowledge } from '../../knowledge/knowledge.ts';
import { createSyncLocks } from '../../knowledge/sync/sync-lock.ts';
import type { Database } from '../../platform/store/database.ts';
import { recordEvent } from '../../platform/store/events.ts';
import { homeFiles } from '../../platform/home/paths.ts';
import { createKnowledgeLive } from './knowledge-live.ts';
import { createKnowledgeWork, type KnowledgeWork } from './knowledge-work.ts';
import type { View } from '../views.ts';

export interface KnowledgeRoom {
  knowledge: Knowledge;
  work: KnowledgeWork;
  /** Keeps what its callers see up to date, in a hub that does so. */
  follow(view: View): void;
  close(): Promise<void>;
}

export interface KnowledgeRoomOptions {
  home: string;
  db: Database;
  now: () => Date;
  runScript: RunScript;
  /** Whether sources are kept up to date without being asked to. */
  live: boolean;
  /** Whether a config was named that stands in for those that would be found. */
  explicitConfig: boolean;
  log: (message: string, error: unknown) => void;
}

const NONE = { added: 0, changed: 0, moved: 0 };

/** The knowledge base of a home. Its threads start when somebody first asks it something. */
export function createKnowledgeRoom({
  home,
  db,
  now,
  runScript,
  live,
  explicitConfig,
  log,
}: KnowledgeRoomOptions): KnowledgeRoom {
  const files = homeFiles(home);
  const knowledge = createKnowledge({
    openReader: async () => {
      const { createIndexReader } = await import('../../knowledge/index/create-index-reader.ts');
      return createIndexReader({ file: files.knowledge });
    },
    openSyncer: async (options) => {
      const { createSyncer } = await import('../../knowledge/sync/create-syncer.ts');
      return createSyncer({ index: files.knowledge, cache: files.knowledgeCache, runScript, ...options });
    },
    locks: createSyncLocks(files.knowledgeLocks),
  });

  async function announce(
    owner: string | null,
    told: Extract<SyncEvent, { type: 'done' | 'removed' }>,
  ): Promise<void> {
    const { source } = told;
    const { ok, error, counts } =
      told.type === 'done' ? told : { ok: true, error: null, counts: { ...NONE, deleted: told.documents } };
    const { added, changed, moved, deleted } = counts;
    const data = { source, ok, error, added, changed, moved, deleted };
    const event = { type: 'knowledge-synced', workspace: owner, agentId: null, data } as const;
    await db.transaction((tx) => recordEvent(tx, event, now().toISOString()));
  }

  // Where nothing was ever synced nothing is gone, and no thread has to be started to see it.
  const removes = () => !explicitConfig && existsSync(files.knowledge);
  const work = createKnowledgeWork({ knowledge, removes, announce });
  const keeper = live ? createKnowledgeLive(work, log) : null;
  return {
    knowledge,
    work,
    follow: (view) => keeper?.follow(view),
    async close() {
      keeper?.close();
      await work.close();
      await knowledge.close();
    },
  };
}
