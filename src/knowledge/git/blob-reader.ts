import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { SourceError } from '../source-error.ts';
import { startGit, stopGit } from './run-git.ts';

/** Reads blobs through a single git process, which starts with the first read. */
export interface BlobReader {
  read(id: string): Promise<Buffer>;
  close(): void;
}

interface Waiting {
  resolve(content: Buffer): void;
  reject(error: Error): void;
}

export function createBlobReader(repository: string): BlobReader {
  let child: ChildProcessWithoutNullStreams | null = null;
  let waiting: Waiting[] = [];
  let parts: Buffer[] = [];
  let length = 0;
  /** The remaining bytes of the current response, with its trailing line end. */
  let missing: number | null = null;

  function start(): ChildProcessWithoutNullStreams {
    const own = startGit({ repository, reach: 'nothing', args: ['cat-file', '--batch'] });
    own.stdout.on('data', receive);
    own.stderr.resume();
    own.stdin.on('error', () => undefined);
    own.on('error', (error) => fail(error.message));
    own.on('close', () => fail('git ended'));
    return own;
  }

  function fail(reason: string): void {
    const left = waiting;
    waiting = [];
    child = null;
    parts = [];
    length = 0;
    missing = null;
    for (const { reject } of left)
      reject(new SourceError(`could not be read from the repository: ${reason}`));
  }

  function receive(chunk: Buffer): void {
    parts.push(chunk);
    length += chunk.length;
    for (;;) {
      if (missing === null) {
        const head = parts.length === 1 ? parts[0] : Buffer.concat(parts);
        if (!head) return;
        parts = [head];
        const end = head.indexOf(10);
        if (end < 0) return;
        const line = head.toString('utf8', 0, end);
        parts = [head.subarray(end + 1)];
        length -= end + 1;
        const size = / blob (\d+)$/.exec(line)?.[1];
        if (size === undefined) {
          waiting.shift()?.reject(new SourceError(`is no longer in the repository (${line})`));
          if (length === 0) return;
          continue;
        }
        missing = Number(size) + 1;
      }
      if (length < missing) return;
      const all = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
      const content = Buffer.from(all.subarray(0, missing - 1));
      parts = [all.subarray(missing)];
      length -= missing;
      missing = null;
      waiting.shift()?.resolve(content);
      if (length === 0) {
        parts = [];
        return;
      }
    }
  }

  return {
    read(id) {
      child ??= start();
      const own = child;
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        own.stdin.write(`${id}\n`);
      });
    },
    close() {
      if (child) stopGit(child);
    },
  };
}
