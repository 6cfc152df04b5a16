import { fstatSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { isInside } from './real-path.ts';

/**
 * Whether an open file lies in a folder. Checked on what was opened, since a folder on its path may be replaced by a
 * link between a check and the opening.
 *
 * @param fd the open file
 * @param path that it was opened with
 * @param folder a real path
 */
export function isOpenedInside(fd: number, path: string, folder: string): boolean {
  if (process.platform === 'linux') {
    try {
      return isInside(folder, readlinkSync(`/proc/self/fd/${fd}`));
    } catch {
      // No /proc, as in some containers.
    }
  }
  const real = realpathSync.native(path);
  if (!isInside(folder, real)) return false;
  const opened = fstatSync(fd, { bigint: true });
  const found = lstatSync(real, { bigint: true });
  return opened.ino === found.ino && opened.dev === found.dev;
}
