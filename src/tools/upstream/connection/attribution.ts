import type { ClientQuestion } from '../../../contract/tool.ts';
import { abortError } from '../calls/abort-error.ts';
import type { Listener } from './link.ts';

const HELD_MS = 60_000;

/**
 * Finds the call that a question belongs to. Legacy servers do not say which call they ask for. Calls run in parallel
 * until the server asks for the first time; from then on they run one at a time. A question that arrives while several
 * calls run is held back until only one of them can have asked it, and no other call starts meanwhile.
 */
export interface Attribution {
  run<T>(listener: Listener, work: () => Promise<T>): Promise<T>;
  /** Null if no call runs, or if it is unclear which one is meant. */
  ask(question: ClientQuestion): Promise<Record<string, unknown> | null>;
  /** Passes something on to the running call, if there is exactly one. */
  tell(say: (listener: Listener) => void): void;
}

export interface AttributionOptions {
  /** Whether the server is known to ask. */
  asks: boolean;
  onAsks(): void;
}

export function createAttribution({ asks: before, onAsks }: AttributionOptions): Attribution {
  const running = new Set<Listener>();
  const held = new Set<(whom: Listener | null) => void>();
  let waiting: (() => void)[] = [];
  let asks = before;

  const only = (): Listener | null => (running.size === 1 ? ([...running][0] ?? null) : null);

  function wake(): void {
    const woken = waiting;
    waiting = [];
    for (const each of woken) each();
  }

  /** Settles held questions whose call is clear now, or cannot become clear any more. */
  function settleHeld(gaveUp: boolean): void {
    // A call that ended without an answer may be the one that asked.
    const hopeless = gaveUp || held.size >= running.size;
    if (running.size > 1 && !hopeless) return;
    const whom = gaveUp ? null : only();
    for (const settle of held) settle(held.size > 1 ? null : whom);
  }

  async function turn(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const stop = (): void => reject(abortError(signal));
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop, { once: true });
      waiting.push(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      });
    });
  }

  function asker(): Promise<Listener | null> {
    if (running.size <= 1) return Promise.resolve(only());
    return new Promise((resolve) => {
      const settle = (whom: Listener | null): void => {
        clearTimeout(timer);
        held.delete(settle);
        resolve(whom);
      };
      const timer = setTimeout(() => settle(null), HELD_MS).unref();
      held.add(settle);
      if (held.size >= running.size) settleHeld(false);
    });
  }

  return {
    async run(listener, work) {
      while (asks && running.size > 0) await turn(listener.signal);
      listener.signal.throwIfAborted();
      running.add(listener);
      let answered = false;
      try {
        const answer = await work();
        answered = true;
        return answer;
      } finally {
        running.delete(listener);
        settleHeld(!answered);
        wake();
      }
    },

    async ask(question) {
      if (!asks) {
        asks = true;
        onAsks();
      }
      const whom = await asker();
      if (whom === null) return null;
      return (await whom.ask({ question }))['question'] ?? null;
    },

    tell(say) {
      const whom = only();
      if (whom) say(whom);
    },
  };
}
