import { createWatcher } from '../../platform/files/watch.ts';
import { createLastGood } from './last-good.ts';
import { type FolderOptions, type LayerSnapshot, loadLayer } from './load-layer.ts';

export type { LayerSnapshot } from './load-layer.ts';

export interface LayerOptions extends FolderOptions {
  watch: boolean;
  log?: (message: string, error: unknown) => void;
}

/** The agents in the files of one folder. */
export interface Layer {
  owner: string | null;
  folder: string;
  current(): LayerSnapshot;
  /** Resolves when the content of the files at the time of the call is served. Never rejects. */
  reload(): Promise<void>;
  /**
   * Writes to the files and reloads them. `revise` sees the new content before it is served; if it resolves to true, the
   * files are read again first. One edit at a time.
   */
  edit(write: () => Promise<unknown>, revise: (fresh: LayerSnapshot) => Promise<boolean>): Promise<void>;
  /** Called only if something changed. Returns a function that unsubscribes. */
  onChange(listener: (snapshot: LayerSnapshot, previous: LayerSnapshot) => void): () => void;
  close(): Promise<void>;
}

/** Collects bursts of saves into one reload. */
const SETTLE_MS = 50;

/** Delays before loading is retried after a timeout. Bounded, since some scripts never finish. */
const AGAIN_AFTER_MS = [1_000, 10_000, 60_000];

export async function createLayer(options: LayerOptions): Promise<Layer> {
  const { owner, folder, database, log = () => undefined } = options;
  const lastGood = createLastGood(database);
  const listeners = new Set<(snapshot: LayerSnapshot, previous: LayerSnapshot) => void>();
  const load = await loadLayer(options, lastGood);
  let timer: NodeJS.Timeout | null = null;
  let again: NodeJS.Timeout | null = null;
  let tries = 0;
  let closed = false;
  let revise: ((fresh: LayerSnapshot) => Promise<boolean>) | null = null;

  const first = await load();
  let snapshot = first.snapshot;
  const watcher = options.watch
    ? createWatcher({ onChange: schedule, onError: (error) => log(`watching ${folder} failed`, error) })
    : null;
  await watcher?.update(first.watch);
  lookAgain(first.slow);

  function lookAgain(slow: boolean): void {
    if (again) clearTimeout(again);
    const delay = slow && watcher && !closed ? AGAIN_AFTER_MS[tries] : undefined;
    tries = slow ? tries + 1 : 0;
    if (delay !== undefined) again = setTimeout(() => void reload(), delay).unref();
  }

  async function loadOnce(): Promise<void> {
    try {
      const read = await load();
      const loaded = revise && (await revise(read.snapshot)) ? await load() : read;
      await watcher?.update(loaded.watch);
      publish(loaded.snapshot);
      lookAgain(loaded.slow);
    } catch (error) {
      log(`reading ${folder} failed; the previous version is still served`, error);
    }
  }

  function publish(fresh: LayerSnapshot): void {
    const previous = snapshot;
    if (fingerprint(previous) === fingerprint(fresh)) return;
    snapshot = fresh;
    for (const listener of listeners) {
      try {
        listener(fresh, previous);
      } catch (error) {
        log(`a listener to ${folder} failed`, error);
      }
    }
  }

  const queue = oneAtATime(loadOnce);
  const reload = (): Promise<void> => (closed ? Promise.resolve() : queue.run());

  function schedule(): void {
    if (timer || closed) return;
    timer = setTimeout(() => {
      timer = null;
      void reload();
    }, SETTLE_MS);
  }

  return {
    owner,
    folder,
    current: () => snapshot,
    reload,
    async edit(write, reviseWith) {
      revise = reviseWith;
      try {
        await write();
        await reload();
      } finally {
        revise = null;
      }
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closed = true;
      if (timer) clearTimeout(timer);
      if (again) clearTimeout(again);
      await watcher?.close();
      await queue.settled();
      await lastGood.settled();
    },
  };
}

/** Runs `work` one at a time. A call during a run gets the result of the next run. */
function oneAtATime(work: () => Promise<void>) {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  function start(): Promise<void> {
    running = work().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    run(): Promise<void> {
      if (next) return next;
      if (!running) return start();
      next = running.then(() => {
        next = null;
        return start();
      });
      return next;
    },
    async settled(): Promise<void> {
      while (running) await (next ?? running);
    },
  };
}

function fingerprint({ config, expanded, trust, agents, diagnostics }: LayerSnapshot): string {
  return JSON.stringify([config.file, config.config, expanded, trust, agents, diagnostics]);
}
