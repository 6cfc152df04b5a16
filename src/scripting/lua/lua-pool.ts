import { type LuaThread, startLuaThread } from './lua-thread.ts';
import { asError } from '../../platform/text/error-message.ts';

export interface LuaPool {
  /** Runs `work` with a free thread. Stopped threads are not reused. */
  use<T>(work: (thread: LuaThread) => Promise<T>, signal: AbortSignal): Promise<T>;
  close(): Promise<void>;
}

export interface LuaPoolOptions {
  /** The usual number of threads. */
  size: number;
  /** The limit while all threads are busy with long calls. */
  most: number;
  /** How long a call waits before an additional thread is started. */
  patienceMs: number;
  /** How long an idle thread is kept. */
  idleMs: number;
}

interface Waiting {
  take(thread: LuaThread): void;
  refuse(error: unknown): void;
}

export function createLuaPool({ size, most, patienceMs, idleMs }: LuaPoolOptions): LuaPool {
  const all = new Set<LuaThread>();
  const free: { thread: LuaThread; timer: NodeJS.Timeout }[] = [];
  const queue = new Set<Waiting>();
  /** Idle threads that are being stopped. */
  const retired = new Set<LuaThread>();
  let closed = false;
  let impatient: NodeJS.Timeout | null = null;

  function start(): LuaThread {
    const thread: LuaThread = startLuaThread((worked) => {
      all.delete(thread);
      takeOut(thread);
      serve();
      // The next caller should not wait for a replacement thread.
      const needed = !retired.delete(thread) && free.length === 0 && all.size < size;
      if (worked && needed && !closed) release(start());
    });
    all.add(thread);
    return thread;
  }

  function takeOut(thread: LuaThread): void {
    const index = free.findIndex((entry) => entry.thread === thread);
    if (index >= 0) clearTimeout(free.splice(index, 1)[0]?.timer);
  }

  function serve(): void {
    for (const waiting of queue) {
      const entry = free.pop();
      if (entry) clearTimeout(entry.timer);
      const thread = entry?.thread ?? (all.size < size && !closed ? start() : undefined);
      if (!thread) break;
      queue.delete(waiting);
      waiting.take(thread);
    }
    if (queue.size > 0 && !impatient && !closed) {
      impatient = setTimeout(() => {
        impatient = null;
        const [first] = queue;
        if (first && all.size < most) {
          queue.delete(first);
          first.take(start());
        }
        serve();
      }, patienceMs);
    }
  }

  function release(thread: LuaThread): void {
    if (thread.ended() || closed) return;
    const timer = setTimeout(() => {
      takeOut(thread);
      retired.add(thread);
      void thread.end();
    }, idleMs).unref();
    free.push({ thread, timer });
    serve();
  }

  function acquire(signal: AbortSignal): Promise<LuaThread> {
    return new Promise((resolve, reject) => {
      const leave = () => waiting.refuse(signal.reason);
      const waiting: Waiting = {
        take(thread) {
          signal.removeEventListener('abort', leave);
          resolve(thread);
        },
        refuse(error) {
          queue.delete(waiting);
          signal.removeEventListener('abort', leave);
          reject(asError(error));
        },
      };
      if (signal.aborted) return leave();
      if (closed) return waiting.refuse(new Error('the sandbox is closed'));
      signal.addEventListener('abort', leave);
      queue.add(waiting);
      return serve();
    });
  }

  return {
    async use(work, signal) {
      const thread = await acquire(signal);
      try {
        return await work(thread);
      } finally {
        release(thread);
      }
    },
    async close() {
      closed = true;
      if (impatient) clearTimeout(impatient);
      for (const waiting of queue) waiting.refuse(new Error('the sandbox is closed'));
      for (const { timer } of free) clearTimeout(timer);
      await Promise.all([...all].map((thread) => thread.end()));
    },
  };
}
