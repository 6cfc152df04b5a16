import { vi } from 'vitest';
import { homeFiles } from '../../src/platform/home/paths.ts';
import { openConnection } from '../../src/platform/store/sqlite-connection.ts';
import type { Stage } from './stage.ts';

/** The store, as another process sees it. */
export function storeOf({ hub }: Pick<Stage, 'hub'>) {
  // It shares the thread of the hub, so a statement that waited for the lock would keep it from being released.
  const { run, all, close } = openConnection(homeFiles(hub.home).database, { readOnly: false, waitMs: 0 });
  return {
    all,
    run: (sql: string) => vi.waitFor(() => run(sql, []), { timeout: 10_000 }),
    [Symbol.dispose]: close,
  };
}
