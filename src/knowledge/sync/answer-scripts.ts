import type { RunScript } from '../connector.ts';
import type { FromSyncThread, ToSyncThread } from './sync-messages.ts';
import { messageOf } from '../../platform/text/error-message.ts';

interface Call {
  stop: AbortController;
  /** Settles the item that the thread is processing. */
  more: (() => void) | null;
  refuse: ((error: Error) => void) | null;
}

/** Runs scripts in the hub on behalf of the sync thread, which takes one item at a time. */
export function answerScripts(
  runScript: RunScript | null,
  post: (message: ToSyncThread) => void,
  signalOf: (run: number) => AbortSignal | null,
) {
  const calls = new Map<number, Call>();

  async function run({
    run: number,
    call,
    source,
    checkpoint,
  }: FromSyncThread & { type: 'script' }): Promise<void> {
    const stop = new AbortController();
    const state: Call = { stop, more: null, refuse: null };
    calls.set(call, state);
    const outer = signalOf(number);
    const signal = outer ? AbortSignal.any([outer, stop.signal]) : stop.signal;
    signal.addEventListener('abort', () => state.refuse?.(new Error('the script was stopped')), {
      once: true,
    });
    try {
      signal.throwIfAborted();
      if (!runScript) throw new Error('scripts cannot be run here');
      const end = await runScript(
        source,
        checkpoint,
        (item) =>
          new Promise<void>((resolve, reject) => {
            signal.throwIfAborted();
            state.more = resolve;
            state.refuse = reject;
            post({ type: 'script-item', call, item });
          }),
        signal,
      );
      post({ type: 'script-end', call, end });
    } catch (error) {
      post({ type: 'script-failed', call, reason: messageOf(error) });
    } finally {
      calls.delete(call);
    }
  }

  return {
    /** True if the message was about a script. */
    receive(message: FromSyncThread): boolean {
      if (message.type === 'script') void run(message);
      else if (message.type === 'script-more') calls.get(message.call)?.more?.();
      else if (message.type === 'script-stop') calls.get(message.call)?.stop.abort();
      else return false;
      return true;
    },
    stop(): void {
      for (const { stop } of calls.values()) stop.abort();
    },
  };
}
