import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openRegular } from '../../platform/files/open-regular.ts';

/** Copies a regular file that lies `within`; false if it does not exist. Renamed into place once complete. */
export async function copyFile(from: string, to: string, within: string | null): Promise<boolean> {
  const file = await openRegular(from, within);
  if (!file) return false;
  const part = `${to}.part`;
  await mkdir(dirname(to), { recursive: true, mode: 0o700 }).catch(closing(file.handle));
  await rm(part, { force: true }).catch(closing(file.handle));
  // The stream always closes the handle.
  await pipeline(file.handle.createReadStream(), createWriteStream(part, { flags: 'wx', mode: 0o600 }));
  await rename(part, to);
  return true;
}

const closing =
  (handle: { close(): Promise<void> }) =>
  async (error: unknown): Promise<never> => {
    await handle.close();
    throw error;
  };
