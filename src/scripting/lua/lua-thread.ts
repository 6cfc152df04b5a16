import { startWorkerThread } from '../../platform/processes/worker-thread.ts';
import type { LuaFailure } from './lua-failure.ts';
import type { LuaAnswer, LuaJob, LuaMessage, LuaThreadData } from './lua-messages.ts';
import type { HostValue } from './host-value.ts';
import type { ScriptLog } from '../sandbox.ts';
import { messageOf } from '../../platform/text/error-message.ts';

export type LuaOutcome =
  | { type: 'done'; result: string; functions: string[]; files: Record<string, string>; lasting: boolean }
  | { type: 'failed'; failure: LuaFailure }
  /** The thread exited, and the call with it. */
  | { type: 'ended'; reason: string | null };

export interface LuaListener {
  /** Answers a host function. Rejections become errors in the script. */
  answer(name: string, args: HostValue[]): Promise<HostValue>;
  log(log: ScriptLog): void;
}

/** A thread with a Lua engine in it: one call at a time. */
export interface LuaThread {
  /** Settles when the engine is ready or has failed to start. */
  ready: Promise<void>;
  run(job: LuaJob, listener: LuaListener): Promise<LuaOutcome>;
  /** Stops at once, even during a call. */
  end(): Promise<void>;
  ended(): boolean;
}

/** @param onEnd gets whether the thread was ever ready */
export function startLuaThread(onEnd: (worked: boolean) => void): LuaThread {
  const answered = new Int32Array(new SharedArrayBuffer(4));
  let running: { listener: LuaListener; finish(outcome: LuaOutcome): void } | null = null;
  let gone = false;
  let worked = false;
  let reason: string | null = null;
  let setReady = () => {};
  const ready = new Promise<void>((resolve) => {
    setReady = resolve;
  });

  function reply(answer: LuaAnswer): void {
    try {
      thread.post(answer);
    } catch (error) {
      thread.post({ error: `the result cannot be passed to the script: ${String(error)}` });
    }
    Atomics.store(answered, 0, 1);
    Atomics.notify(answered, 0);
  }

  function receive(message: LuaMessage): void {
    if (message.type === 'ready') {
      worked = true;
      thread.setBusy(running !== null);
      return setReady();
    }
    if (!running) return;
    const { listener, finish } = running;
    if (message.type === 'log') listener.log(message.log);
    else if (message.type === 'catch-up') reply({ value: null });
    else if (message.type === 'ask') {
      listener.answer(message.name, message.args).then(
        (value) => reply({ value }),
        (error: unknown) => reply({ error: messageOf(error) }),
      );
    } else finish(message);
  }

  const thread = startWorkerThread<LuaJob | LuaAnswer, LuaMessage>(
    'lua-worker',
    {
      workerData: { answered: answered.buffer } satisfies LuaThreadData,
      // No access to the hub's environment or output.
      env: {},
      execArgv: [],
      stdin: false,
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8, stackSizeMb: 8 },
    },
    {
      onMessage: receive,
      onLost(error) {
        gone = true;
        if (error) reason = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : error.message;
        setReady();
        running?.finish({ type: 'ended', reason });
        onEnd(worked);
      },
    },
  );
  // Busy until its engine is ready.
  thread.setBusy(true);

  return {
    ready,
    ended: () => gone,
    end: async () => {
      gone = true;
      await thread.terminate();
    },
    run: (job, listener) =>
      new Promise((resolve) => {
        if (gone) return resolve({ type: 'ended', reason });
        const finish = (outcome: LuaOutcome) => {
          running = null;
          thread.setBusy(false);
          resolve(outcome);
        };
        running = { listener, finish };
        thread.setBusy(true);
        return thread.post(job);
      }),
  };
}
