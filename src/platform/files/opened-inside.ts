import { fstatSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { isInside } from './real-path.ts';

/** Elsewhere than on Linux, paths are compared several times: they can change between calls. */
const ROUNDS = 3;

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
  const opened = fstatSync(fd, { bigint: true });
  for (let round = 0; round < ROUNDS; round++) {
    const real = realpathSync.native(path);
    const found = lstatSync(real, { bigint: true });
    if (!isInside(folder, real) || opened.ino !== found.ino || opened.dev !== found.dev) return false;
  }
  return true;
}
