import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { messageOf } from '../text/error-message.ts';

const TEXT_LIMIT = 1024 * 1024;

export type TextFile =
  | { ok: true; text: string; createdAt: string; updatedAt: string }
  /** `why` completes a sentence that begins with the file's name. */
  | { ok: false; missing: boolean; why: string };

/** A file that a person writes: UTF-8, of a reasonable size, with or without a byte order mark. Never throws. */
export async function loadText(file: string): Promise<TextFile> {
  try {
    // Without blocking: somebody may have put a pipe in its place.
    await using handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const info = await handle.stat();
    const { size, mtime, birthtime } = info;
    if (!info.isFile()) return unreadable('is not a file');
    if (size > TEXT_LIMIT) return unreadable(`is larger than 1 MiB (${size} bytes)`);
    const text = decode(await handle.readFile());
    if (text === null) return unreadable('is not UTF-8 text: save it as UTF-8');
    // Some file systems have no creation time and report zero.
    const born = birthtime.getTime() > 0 && birthtime < mtime ? birthtime : mtime;
    return { ok: true, text, createdAt: born.toISOString(), updatedAt: mtime.toISOString() };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { ok: false, missing: true, why: 'does not exist' };
    return unreadable(`could not be read (${messageOf(error)})`);
  }
}

const unreadable = (why: string): TextFile => ({ ok: false, missing: false, why });

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The code of a system error, such as `ENOENT`. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
