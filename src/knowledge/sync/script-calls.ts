import type { RunScript, ScanEnd, ScriptItem } from '../connector.ts';
import { SourceError } from '../source-error.ts';
import type { FromSyncThread, ToSyncThread } from './sync-messages.ts';

interface Call {
  emit(item: ScriptItem): Promise<void>;
  resolve(end: ScanEnd): void;
  reject(error: Error): void;
}

/** Lets the sync thread run scripts, which run in the hub. */
export function createScriptCalls(post: (message: FromSyncThread) => void) {
  const calls = new Map<number, Call>();
  let last = 0;

  const runScript =
    (run: number): RunScript =>
    (source, checkpoint, emit, signal) =>
      new Promise<ScanEnd>((resolve, reject) => {
        const call = ++last;
        const stop = () => {
          post({ type: 'script-stop', call });
          settle(() => reject(new SourceError('the script was stopped')));
        };
        const settle = (work: () => void) => {
          calls.delete(call);
          signal.removeEventListener('abort', stop);
          work();
        };
        calls.set(call, {
          emit,
          resolve: (end) => settle(() => resolve(end)),
          reject: (error) => settle(() => reject(error)),
        });
        signal.addEventListener('abort', stop, { once: true });
        post({ type: 'script', run, call, source, checkpoint });
      });

  /** True if the message was about a script. */
  function receive(message: ToSyncThread): boolean {
    if (message.type === 'script-item') {
      const { call } = message;
      void calls
        .get(call)
        ?.emit(message.item)
        .then(() => post({ type: 'script-more', call }));
      return true;
    }
    if (message.type === 'script-end') calls.get(message.call)?.resolve(message.end);
    else if (message.type === 'script-failed')
      calls.get(message.call)?.reject(new SourceError(message.reason));
    else return false;
    return true;
  }

  return { runScript, receive };
}
