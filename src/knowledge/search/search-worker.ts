import { parentPort, workerData } from 'node:worker_threads';
import { createIndexThread } from '../index/index-thread.ts';
import {
  type FromSearchWorker,
  packError,
  type SearchRequest,
  type ToSearchWorker,
} from './search-messages.ts';

const port = parentPort;
if (!port) throw new Error('search-worker runs in a worker thread');
if (typeof workerData !== 'string') throw new Error('search-worker was started without its file');

const index = createIndexThread(workerData);
const running = new Map<number, AbortController>();
const answering = new Set<Promise<void>>();
let last: Promise<void> = Promise.resolve();

port.on('message', (message: ToSearchWorker) => {
  if (message === 'close') {
    for (const abort of running.values()) abort.abort();
    void Promise.all(answering).finally(() => {
      index.close();
      port.close();
    });
    return;
  }
  if ('abort' in message) {
    running.get(message.id)?.abort();
    return;
  }
  const abort = new AbortController();
  running.set(message.id, abort);
  const turn = last.then(() => new Promise<void>((resolve) => setImmediate(resolve)));
  const answered = turn.then(() => answer(message.id, message.request, abort.signal));
  answering.add(answered);
  void answered.finally(() => answering.delete(answered));
  // Searches may overtake one that waits for an encoder; embed requests run one at a time.
  last = message.request.kind === 'embed' ? answered : turn;
});

/** Requests start one after another, with an event loop turn in between so that aborts are received. */
async function answer(id: number, request: SearchRequest, signal: AbortSignal): Promise<void> {
  const send = (reply: FromSearchWorker) => port?.postMessage(reply);
  try {
    signal.throwIfAborted();
    send({ id, value: await index.answer(request, signal, (progress) => send({ id, progress })) });
  } catch (error) {
    send({ id, error: packError(error) });
  } finally {
    running.delete(id);
  }
}
