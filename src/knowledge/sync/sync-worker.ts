import { setMaxListeners } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { reasonOf } from '../source-error.ts';
import { createRunner } from './run-syncs.ts';
import { createScriptCalls } from './script-calls.ts';
import {
  type FromSyncThread,
  isSyncThreadData,
  type SyncRequest,
  type ToSyncThread,
} from './sync-messages.ts';
import { watchSources } from './watch-sources.ts';

const port = parentPort;
if (!port) throw new Error('sync-worker must run in a worker thread');
if (!isSyncThreadData(workerData)) throw new Error('sync-worker was started without its data');

const post = (message: FromSyncThread) => port.postMessage(message);
const runner = createRunner(workerData);
const scripts = createScriptCalls(post);
const running = new Map<number, { stop: AbortController; ended: Promise<void> }>();

function sync(run: number, request: SyncRequest, signal: AbortSignal): Promise<void> {
  return runner.sync({
    request,
    signal,
    runScript: scripts.runScript(run),
    emit: (event) => post({ type: 'event', run, event }),
    indexed: (source, result) => post({ type: 'indexed', run, source, result }),
  });
}

function watch(run: number, request: SyncRequest, signal: AbortSignal): Promise<void> {
  const again = (index: number) =>
    runner.sync({
      request: { ...request, sources: request.sources.slice(index, index + 1) },
      signal,
      runScript: null,
      emit: (event) => post({ type: 'event', run, event }),
      indexed: (_source, result) => post({ type: 'indexed', run, source: index, result }),
    });
  return watchSources(
    request.sources,
    signal,
    (source) => again(request.sources.indexOf(source)),
    (event) => post({ type: 'event', run, event }),
  );
}

function start(run: number, work: (signal: AbortSignal) => Promise<void>): void {
  const stop = new AbortController();
  // Each file being read may add a listener.
  setMaxListeners(0, stop.signal);
  const ended = work(stop.signal).then(
    () => post({ type: 'end', run, error: null }),
    (error: unknown) => post({ type: 'end', run, error: reasonOf(error) }),
  );
  running.set(run, { stop, ended: ended.finally(() => running.delete(run)) });
}

async function close(): Promise<void> {
  const all = [...running.values()];
  for (const { stop } of all) stop.abort();
  await Promise.all(all.map(({ ended }) => ended));
  port?.close();
}

port.on('message', (message: ToSyncThread) => {
  if (scripts.receive(message)) return;
  if (message.type === 'sync') start(message.run, (signal) => sync(message.run, message.request, signal));
  else if (message.type === 'watch')
    start(message.run, (signal) => watch(message.run, message.request, signal));
  else if (message.type === 'remove') start(message.run, () => runner.remove(message.sources));
  else if (message.type === 'stop') running.get(message.run)?.stop.abort();
  else if (message.type === 'close') void close();
});
