import { ZooError } from '../../contract/errors.ts';
import type { IndexWriter } from '../index/index-writer.ts';

interface Write {
  run(): void;
  /** An estimate of the memory that it holds. */
  bytes: number;
  /** This write alone failed. */
  failed(error: unknown): void;
  /** Nothing can be written to the index. */
  lost(): void;
}

export interface WriteQueue {
  push(write: Write): void;
  flush(): void;
}

const WRITES = 128;
const BYTES = 4 * 1024 * 1024;
const AGE_MS = 250;

/** Batches writes into transactions: large enough to be fast, small enough to lose one in a crash. */
export function createWriteQueue(writer: Pick<IndexWriter, 'batch'>): WriteQueue {
  let writes: Write[] = [];
  let bytes = 0;
  let since = 0;

  function flush(): void {
    const batch = writes;
    writes = [];
    bytes = 0;
    if (batch.length === 0) return;
    try {
      writer.batch(() => {
        for (const { run } of batch) run();
      });
    } catch (error) {
      // A `ZooError` is about the index as a whole; anything else is about one document.
      if (error instanceof ZooError) giveUp(batch, error);
      for (const [at, { run, failed }] of batch.entries()) {
        try {
          writer.batch(run);
        } catch (own) {
          if (own instanceof ZooError) giveUp(batch.slice(at), own);
          failed(own);
        }
      }
    }
  }

  function giveUp(left: readonly Write[], error: ZooError): never {
    for (const { lost } of left) lost();
    throw error;
  }

  return {
    push(write) {
      if (writes.length === 0) since = performance.now();
      writes.push(write);
      bytes += write.bytes;
      if (writes.length >= WRITES || bytes >= BYTES || performance.now() - since >= AGE_MS) flush();
    },
    flush,
  };
}
