import { type BigIntStats, closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isOpenedInside } from '../../platform/files/opened-inside.ts';
import { codeOf } from '../../platform/files/text-file.ts';
import { SourceError } from '../source-error.ts';

const ATTEMPTS = 4;
const FIRST_WAIT_MS = 20;

/** Opens a pipe without waiting for its other end. Windows has neither flag. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const NO_LINK = constants.O_NOFOLLOW ?? 0;

export interface ReadOptions {
  /** The real path of the folder that must contain the file; null if links may lead anywhere. */
  within: string | null;
  limit: number;
}

/** A consistent read of a regular file. If it changes meanwhile, the read is retried a few times. */
export async function readFileWhole(
  path: string,
  { within, limit }: ReadOptions,
  signal: AbortSignal,
): Promise<Buffer> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    signal.throwIfAborted();
    if (attempt > 0) await sleep(FIRST_WAIT_MS * 2 ** attempt, undefined, { signal });
    const handle = await open(path, within === null ? OPEN_FLAGS : OPEN_FLAGS | NO_LINK);
    try {
      if (within !== null && !isOpenedInside(handle.fd, path, within))
        throw new SourceError('was skipped: a link took the place of its folder');
      const bytes = await readOnce(handle, limit);
      if (bytes) return bytes;
    } finally {
      await handle.close();
    }
  }
  throw new SourceError('keeps changing while it is read');
}

/** Null if the file changed meanwhile. */
async function readOnce(handle: FileHandle, limit: number): Promise<Buffer | null> {
  const before = await handle.stat({ bigint: true });
  if (!before.isFile()) throw new SourceError('is not a regular file');
  if (before.size > limit) throw new SourceError('has grown beyond the size limit');
  const size = Number(before.size);
  // One byte more than expected, to notice that the file has grown.
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

/** Changes whenever the content may have changed. A program can reset a file's mtime, but not its ctime. */
export const stateOf = ({ size, mtimeNs, ctimeNs, ino }: BigIntStats) =>
  `${size}-${mtimeNs}-${ctimeNs}-${ino}`;

const PLAIN_LIMIT = 1024 * 1024;

/** The text of a small regular file; null if it is missing, a link, a pipe or too large. */
export function readPlainFile(file: string): string | null {
  let fd: number;
  try {
    fd = openSync(file, OPEN_FLAGS | NO_LINK);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EMLINK', 'EISDIR', 'ENXIO'].includes(codeOf(error) ?? ''))
      return null;
    throw error;
  }
  try {
    const info = fstatSync(fd);
    return info.isFile() && info.size <= PLAIN_LIMIT ? readFileSync(fd, 'utf8') : null;
  } finally {
    closeSync(fd);
  }
}
