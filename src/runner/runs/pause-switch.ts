import { setTimeout as sleep } from 'node:timers/promises';
import type { RunEvent } from '../../contract/run.ts';
import type { Database } from '../../platform/store/database.ts';

const KEY = 'runs_paused';
const POLL_MS = 200;

/** Stops all runs of a home before their next request or tool call, and lets them go on. */
export interface PauseSwitch {
  set(paused: boolean): Promise<void>;
  isPaused(): Promise<boolean>;
  /** Resolves once runs may go on. */
  gate(signal: AbortSignal, emit: (event: RunEvent) => void): Promise<void>;
}

export function createPauseSwitch(db: Database): PauseSwitch {
  const isPaused = async (): Promise<boolean> =>
    (await db.one('SELECT value FROM settings WHERE key = ?', [KEY])) !== undefined;
  return {
    async set(paused) {
      await db.transaction((tx) =>
        paused
          ? tx.run('INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING', [
              KEY,
              'true',
            ])
          : tx.run('DELETE FROM settings WHERE key = ?', [KEY]),
      );
    },
    isPaused,
    async gate(signal, emit) {
      if (!(await isPaused())) return;
      emit({ type: 'warning', message: 'All runs are paused. `zoo resume` continues them.' });
      while (!signal.aborted && (await isPaused())) {
        await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}
