import { type Options, SingleBar, Format } from 'cli-progress';
import type { SyncEvent } from '../../../contract/knowledge.ts';
import { fitProgress } from '../render/sync.ts';

type Progress = Extract<SyncEvent, { type: 'progress' }>;

/** One bar on the terminal, removed before anything else is printed. */
export function createSyncBar(): { update(progress: Progress): void; stop(): void } {
  let bar: SingleBar | null = null;
  const start = (): SingleBar => {
    const options: Options = {
      format: (opts, { progress }, { event }: { event: Progress }) => {
        const columns = process.stderr.columns || 80;
        const bar = (barsize: number) => Format.BarFormat(progress, { ...opts, barsize });
        return fitProgress(event, event.totalDocuments === null ? null : bar, columns);
      },
      clearOnComplete: true,
      hideCursor: true,
      stream: process.stderr,
    };
    return new SingleBar(options);
  };
  return {
    update(event) {
      const { done, total } = position(event);
      if (bar) {
        bar.setTotal(total);
        bar.update(done, { event });
        return;
      }
      bar = start();
      bar.start(total, done, { event });
    },
    stop() {
      bar?.stop();
      bar = null;
    },
  };
}

/** By bytes where known, since documents differ in size. */
function position({ documents, totalDocuments, bytes, totalBytes }: Progress): {
  done: number;
  total: number;
} {
  if (totalBytes !== null && totalBytes > 0) return { done: Math.min(bytes, totalBytes), total: totalBytes };
  return { done: documents, total: Math.max(totalDocuments ?? documents, 1) };
}
