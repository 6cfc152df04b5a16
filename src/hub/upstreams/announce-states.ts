import type { Database } from '../../platform/store/database.ts';
import { recordEvent } from '../../platform/store/events.ts';

/** Changes within this time are announced together: a start is three states in a row. */
const GATHER_MS = 50;

interface StateAnnouncer {
  /** Announces, a moment later, that servers of these owners have started, stopped or failed. */
  announce(owners: readonly (string | null)[]): void;
  close(): void;
}

interface AnnouncerOptions {
  /** Other processes that run a server of their own do not change the state that the hub shows. */
  serving: boolean;
  log(message: string, error: unknown): void;
}

export function createStateAnnouncer(db: Database, { serving, log }: AnnouncerOptions): StateAnnouncer {
  const gathered = new Set<string | null>();
  let timer: NodeJS.Timeout | undefined;
  let closed = !serving;

  async function record(): Promise<void> {
    const owners = [...gathered];
    gathered.clear();
    timer = undefined;
    const at = new Date().toISOString();
    try {
      await db.transaction(async (tx) => {
        for (const workspace of owners) {
          await recordEvent(tx, { type: 'upstream-changed', workspace, agentId: null }, at);
        }
      });
    } catch (error) {
      if (!closed) log('announcing the state of a server failed', error);
    }
  }

  return {
    announce(owners) {
      if (closed) return;
      for (const owner of owners) gathered.add(owner);
      if (gathered.size > 0) timer ??= setTimeout(() => void record(), GATHER_MS).unref();
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
