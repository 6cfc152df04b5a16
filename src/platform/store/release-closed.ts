import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const IDLE_MS = 1000;

/**
 * The SQLite driver finalizes prepared statements only when they are garbage collected, and SQLite keeps the files of a
 * closed connection open until then. A thread that closes connections and then rests would keep them for hours, so
 * garbage is collected once it has been idle for a moment.
 */
export interface ReleaseClosed {
  /** Call after closing a connection. */
  closed(): void;
  /** Call when work begins: nothing is collected meanwhile. */
  busy(): void;
}

export function createReleaseClosed(): ReleaseClosed {
  let timer: NodeJS.Timeout | undefined;
  return {
    closed() {
      clearTimeout(timer);
      timer = setTimeout(collectGarbage, IDLE_MS).unref();
    },
    busy: () => clearTimeout(timer),
  };
}

/** Of this thread only. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') Reflect.apply(collect, undefined, []);
}
