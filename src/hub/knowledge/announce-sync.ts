import type { SyncEvent } from '../../contract/knowledge.ts';
import type { Database } from '../../platform/store/database.ts';
import { recordEvent } from '../../platform/store/events.ts';

/** Announces that a source was synced or removed. Never rejects: a sync must not fail because of its event. */
export type AnnounceSync = (
  owner: string | null,
  event: Extract<SyncEvent, { type: 'done' | 'removed' }>,
) => Promise<void>;

export interface AnnounceSyncOptions {
  db: Database;
  now: () => Date;
  log: (message: string, error: unknown) => void;
}

const NONE = { added: 0, changed: 0, moved: 0 };

export function createSyncAnnouncer({ db, now, log }: AnnounceSyncOptions): AnnounceSync {
  return async (owner, told) => {
    const { source } = told;
    const { ok, error, counts } =
      told.type === 'done' ? told : { ok: true, error: null, counts: { ...NONE, deleted: told.documents } };
    const { added, changed, moved, deleted } = counts;
    const data = { source, ok, error, added, changed, moved, deleted };
    const event = { type: 'knowledge-synced', workspace: owner, agentId: null, data } as const;
    try {
      await db.transaction((tx) => recordEvent(tx, event, now().toISOString()));
    } catch (failure) {
      log(`recording the sync of ${source} failed`, failure);
    }
  };
}
