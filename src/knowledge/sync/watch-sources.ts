import { statSync } from 'node:fs';
import type { FSWatcher } from 'chokidar';
import type { SyncEvent } from '../../contract/knowledge.ts';
import { codeOf } from '../../platform/files/text-file.ts';
import type { ConfiguredSource, WatchedFolder } from '../connector.ts';
import { connectors } from '../connectors/index.ts';
import { reasonOf } from '../source-error.ts';
import { sourceId } from '../source-reference.ts';
import { createDueSync } from './due-sync.ts';

const POLL_MS = 5_000;
const RETRY_MS = 5_000;
const CHECK_ROOT_MS = 400;

type OpenWatcher = (folder: WatchedFolder) => FSWatcher;

/**
 * Syncs each source soon after something in its folder has changed, until the signal aborts. Syncing an unchanged
 * folder costs little more than a stat per file, so it does not matter which files changed.
 */
export async function watchSources(
  sources: readonly ConfiguredSource[],
  signal: AbortSignal,
  sync: (source: ConfiguredSource) => Promise<void>,
  emit: (event: SyncEvent) => void,
): Promise<void> {
  const watched = sources.flatMap((source) => {
    const folder = connectors[source.type]?.watch?.(source);
    return folder ? [{ source, folder }] : [];
  });
  if (watched.length === 0) return;
  const { watch } = await import('chokidar');
  if (signal.aborted) return;
  const open: OpenWatcher = ({ folder, follow, ignores }) =>
    watch(folder, { ignored: ignores, ignoreInitial: true, followSymlinks: follow });
  const closings = watched.map(({ source, folder }) => {
    const problem = (reason: string) =>
      emit({ type: 'problem', source: sourceId(source), path: null, reason });
    return watchFolder(folder, open, () => sync(source), problem);
  });
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.all(closings.map((close) => close()));
}

/** Returns a function that ends the watch. */
function watchFolder(
  folder: WatchedFolder,
  open: OpenWatcher,
  sync: () => Promise<void>,
  problem: (reason: string) => void,
): () => Promise<void> {
  let lastError = '';
  let poll: NodeJS.Timeout | undefined;
  let retry: NodeJS.Timeout | undefined;
  const dueSync = createDueSync(
    async () => {
      await sync();
      lastError = '';
    },
    (error) => {
      const reason = `the sync failed: ${reasonOf(error)}. It is retried every ${RETRY_MS / 1000} seconds`;
      if (reason !== lastError) problem(reason);
      lastError = reason;
      clearTimeout(retry);
      retry = setTimeout(dueSync.due, RETRY_MS);
    },
  );
  const start = () => {
    const watcher = open(folder);
    watcher.on('all', dueSync.due);
    watcher.on('ready', dueSync.due);
    watcher.on('error', (error) => {
      // For example, the system's limit on watched files has been reached.
      const hint = codeOf(error) === 'ENOSPC' ? ' (raise fs.inotify.max_user_watches)' : '';
      if (poll === undefined) {
        problem(
          `changes cannot be watched: ${reasonOf(error)}${hint}. The folder is checked every ${POLL_MS / 1000} seconds instead`,
        );
      }
      poll ??= setInterval(dueSync.due, POLL_MS);
    });
    return watcher;
  };
  let watcher = start();
  const stopChecking = onReplacedFolder(folder.folder, () => {
    void watcher.close();
    watcher = start();
  });
  return async () => {
    stopChecking();
    clearInterval(poll);
    await watcher.close();
    await dueSync.close();
    clearTimeout(retry);
  };
}

/** After a folder is deleted and recreated, its watcher stays on the deleted one and gets no events. */
function onReplacedFolder(folder: string, onReplaced: () => void): () => void {
  const identity = () => {
    try {
      // A new folder may get the inode number of the deleted one.
      const { dev, ino, birthtimeNs } = statSync(folder, { bigint: true });
      return `${dev}-${ino}-${birthtimeNs}`;
    } catch {
      return null;
    }
  };
  let before = identity();
  const timer = setInterval(() => {
    const now = identity();
    if (now === before) return;
    before = now;
    onReplaced();
  }, CHECK_ROOT_MS);
  return () => clearInterval(timer);
}
