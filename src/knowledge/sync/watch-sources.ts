import { statSync } from 'node:fs';
import type { SyncEvent } from '../../contract/knowledge.ts';
import { codeOf } from '../../platform/files/text-file.ts';
import type { ConfiguredSource } from '../connector.ts';
import { connectors } from '../connectors/index.ts';
import { reasonOf } from '../source-error.ts';
import { idOf } from './sync-source.ts';

const QUIET_MS = 120;
const AT_LATEST_MS = 500;
const LOOK_AGAIN_MS = 5_000;
const LOOK_AT_ROOT_MS = 400;

/**
 * Syncs each source again soon after something in its folder has changed, until the signal aborts. A sync of a folder
 * that has hardly changed reads little more than the stats of its files, so what has changed need not be known.
 */
export async function watchSources(
  sources: readonly ConfiguredSource[],
  signal: AbortSignal,
  sync: (source: ConfiguredSource) => Promise<void>,
  emit: (event: SyncEvent) => void,
): Promise<void> {
  const watched = sources.flatMap((source) => {
    const what = connectors[source.type]?.watch?.(source);
    return what ? [{ source, ...what }] : [];
  });
  if (watched.length === 0) return;
  const { watch } = await import('chokidar');
  if (signal.aborted) return;
  const closings = watched.map(({ source, folder, follow, ignores }) => {
    const dueSync = createDueSync(() => sync(source));
    let again: NodeJS.Timeout | undefined;
    const begin = () => {
      const begun = watch(folder, { ignored: ignores, ignoreInitial: true, followSymlinks: follow });
      begun.on('all', dueSync.due);
      begun.on('ready', dueSync.due);
      begun.on('error', (error) => {
        // The system watches no more files, say: then it is looked at now and then.
        const hint = codeOf(error) === 'ENOSPC' ? ' (raise fs.inotify.max_user_watches)' : '';
        if (again === undefined) {
          const reason = `its changes cannot be watched: ${reasonOf(error)}${hint}. It is looked at every ${LOOK_AGAIN_MS / 1000} seconds instead`;
          emit({ type: 'problem', source: idOf(source), path: null, reason });
        }
        again ??= setInterval(dueSync.due, LOOK_AGAIN_MS);
      });
      return begun;
    };
    let watcher = begin();
    const stopLooking = onAnotherFolder(folder, () => {
      void watcher.close();
      watcher = begin();
    });
    return async () => {
      stopLooking();
      clearInterval(again);
      await watcher.close();
      await dueSync.close();
    };
  });
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.all(closings.map((close) => close()));
}

/** Nothing is heard of a folder that was deleted and made anew: the watch would go on with the old one. */
function onAnotherFolder(folder: string, tell: () => void): () => void {
  const identity = () => {
    try {
      const { dev, ino } = statSync(folder, { bigint: true });
      return `${dev}-${ino}`;
    } catch {
      return null;
    }
  };
  let before = identity();
  const timer = setInterval(() => {
    const now = identity();
    if (now === before) return;
    before = now;
    tell();
  }, LOOK_AT_ROOT_MS);
  return () => clearInterval(timer);
}

/** Runs when things have been quiet for a moment, but not much later; and once more if something came meanwhile. */
function createDueSync(run: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined;
  let firstAt = 0;
  let running: Promise<void> | null = null;
  let missed = false;
  let closed = false;

  function start(): void {
    timer = undefined;
    if (closed) return;
    running = run().finally(() => {
      running = null;
      if (!missed) return;
      missed = false;
      due();
    });
  }

  function due(): void {
    if (closed) return;
    if (running) {
      missed = true;
      return;
    }
    const now = performance.now();
    if (timer === undefined) firstAt = now;
    clearTimeout(timer);
    timer = setTimeout(start, Math.max(0, Math.min(QUIET_MS, firstAt + AT_LATEST_MS - now)));
  }

  return {
    due,
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
