import { lstat, mkdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { ZooError } from '../contract/errors.ts';
import { isInside, realPath } from '../platform/files/real-path.ts';

/** The real path of a file that a member names. Throws if it is outside of the folder, by its name or through a link. */
export async function pathInside(folder: string, path: string): Promise<string> {
  const root = await realPath(folder);
  const asked = isAbsolute(path) ? path : join(root, path);
  const real = await realPath(asked);
  // A link to nowhere has no real path, but writing through it would create its target.
  const isLink = await lstat(real).then(
    (entry) => entry.isSymbolicLink(),
    () => false,
  );
  if (isInside(root, real) && !isLink) return real;
  throw new ZooError('permission_denied', `'${path}' is outside of the workspace.`);
}

/** The folder of a child: its parent's, or one below it, created if missing. */
export async function childFolder(parent: string, subdir: string | null): Promise<string> {
  if (subdir === null || subdir === '') return parent;
  if (isAbsolute(subdir) || subdir.split(/[/\\]/).includes('..') || subdir.includes('\0')) {
    throw new ZooError('invalid_arguments', 'workspace_subdir: must be a path below your workspace');
  }
  const folder = await pathInside(parent, subdir);
  await mkdir(folder, { recursive: true });
  return pathInside(parent, subdir);
}
