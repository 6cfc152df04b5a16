import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { codeOf } from './text-file.ts';
import { isOpenedInside } from './opened-inside.ts';
import { isInside } from './real-path.ts';

export interface OpenFile {
  handle: FileHandle;
  size: number;
}

/** A path that lies outside of the folder to which reading is confined. */
export class OutsideError extends Error {
  override readonly name = 'OutsideError';
  readonly path: string;

  constructor(path: string) {
    super(`${path} leads out of its workspace`);
    this.path = path;
  }
}

/**
 * Opens a regular file; null if there is none. Never blocks on pipes and devices. With `within` (a real
 * path), the file must lie in that folder. This is checked again after opening, in case a folder was swapped for a
 * link.
 */
export async function openRegular(path: string, within: string | null): Promise<OpenFile | null> {
  const real = await realpath(path).catch(absent);
  if (real === null) return null;
  if (within !== null && !isInside(within, real)) throw new OutsideError(path);
  const handle = await open(
    real,
    constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
  ).catch(absent);
  if (handle === null) return null;
  try {
    const info = await handle.stat();
    if (within !== null && !isOpenedInside(handle.fd, real, within)) throw new OutsideError(path);
    if (info.isFile()) return { handle, size: info.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return null;
}

const START_BYTES = 65_536;

/** The start of a text file, as `openRegular` finds it. */
export async function readStart(path: string, within: string | null): Promise<string | null> {
  const file = await openRegular(path, within);
  if (!file) return null;
  try {
    const { buffer, bytesRead } = await file.handle.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.handle.close();
  }
}

function absent(error: unknown): null {
  if (['ENOENT', 'ENOTDIR', 'EISDIR', 'ENXIO'].includes(codeOf(error) ?? '')) return null;
  throw error;
}
