import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { messageOf } from '../../platform/text/error-message.ts';
import { convertDocument } from './convert-document.ts';
import { CONVERT_LIMITS, type ConvertRequest, type ConvertResponse } from './convert-messages.ts';

/**
 * A separate process that converts documents, one after another. A thread in it watches the memory of the
 * process, which V8's limits do not bound (buffers, WebAssembly), and the time, and kills it even while a
 * conversion blocks the main thread. The signal tells the hub which limit was exceeded.
 */
if (isMainThread) {
  const watch = new Worker(new URL(import.meta.url), { workerData: process.ppid });
  watch.unref();
  process.on('disconnect', () => process.exit(0));
  process.on('message', (request: ConvertRequest) => {
    watch.postMessage('start');
    void respond(request, () => watch.postMessage('end'));
  });
} else {
  const { rssBytes, timeoutMs, checkEveryMs } = CONVERT_LIMITS;
  let startedAt: number | null = null;
  parentPort?.on('message', (message: 'start' | 'end') => {
    startedAt = message === 'start' ? performance.now() : null;
  });
  setInterval(() => {
    if (process.memoryUsage.rss() > rssBytes || process.ppid !== workerData)
      process.kill(process.pid, 'SIGKILL');
    if (startedAt !== null && performance.now() - startedAt > timeoutMs) process.kill(process.pid, 'SIGTERM');
  }, checkEveryMs);
}

async function respond({ kind, content }: ConvertRequest, onEnd: () => void): Promise<void> {
  const response: ConvertResponse = await convertDocument(kind, content).then(
    (document) => ({ document, rss: process.memoryUsage.rss() }),
    (error: unknown) => ({ error: messageOf(error), rss: process.memoryUsage.rss() }),
  );
  onEnd();
  process.send?.(response);
}
