import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { SourceError } from '../source-error.ts';

const ATTEMPTS = 4;
const FIRST_WAIT_MS = 20;

/**
 * The bytes that a file had at one moment. One that changes meanwhile is read again, a few times. Only regular files
 * are read: a pipe or a device that took a file's place is opened without waiting for it, and closed again.
 */
export async function readFileWhole(
  path: string,
  options: { follow: boolean; limit: number },
  signal: AbortSignal,
): Promise<Buffer> {
  // Windows has neither.
  const flags =
    constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (options.follow ? 0 : (constants.O_NOFOLLOW ?? 0));
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    signal.throwIfAborted();
    if (attempt > 0) await sleep(FIRST_WAIT_MS * 2 ** attempt, undefined, { signal });
    const handle = await open(path, flags);
    try {
      const bytes = await readOnce(handle, options.limit);
      if (bytes) return bytes;
    } finally {
      await handle.close();
    }
  }
  throw new SourceError('changes all the time while it is read');
}

/** Null if it was another file at the end than at the beginning. */
async function readOnce(handle: FileHandle, limit: number): Promise<Buffer | null> {
  const before = await handle.stat({ bigint: true });
  if (!before.isFile()) throw new SourceError('is not a regular file');
  if (before.size > limit) throw new SourceError('has grown beyond what is read');
  const size = Number(before.size);
  // One more than there should be, to notice that there is more.
  const buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    length += bytesRead;
    if (bytesRead === 0 || length > size) break;
  }
  const after = await handle.stat({ bigint: true });
  return length === size && stateOf(before) === stateOf(after) ? buffer.subarray(0, size) : null;
}

/** Changes whenever the content may have: a program can set back a file's times, but not that of its inode. */
export const stateOf = ({ size, mtimeNs, ctimeNs, ino }: BigIntStats) =>
  `${size}-${mtimeNs}-${ctimeNs}-${ino}`;
