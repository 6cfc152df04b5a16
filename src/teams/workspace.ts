import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
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

/** Files beyond this are for the agent's own tools: the hub would hold all of it in memory. */
const MOST_BYTES = 10 * 1024 * 1024;

/** Throws for files outside of the folder, and for large ones. */
export async function readInside(folder: string, path: string): Promise<string> {
  await using file = await openInside(folder, path, constants.O_RDONLY);
  const { size } = await file.stat();
  if (size <= MOST_BYTES) return await file.readFile('utf8');
  throw new ZooError('too_large', `'${path}' has ${size} bytes; at most ${MOST_BYTES} are read.`);
}

/** Creates or replaces a file. Throws for one outside of the folder. */
export async function writeInside(folder: string, path: string, content: string): Promise<void> {
  const { O_CREAT, O_WRONLY } = constants;
  await using file = await openInside(folder, path, O_WRONLY | O_CREAT);
  await file.truncate(0);
  await file.writeFile(content);
}

/**
 * Opens a regular file only: a pipe would keep a thread of the hub waiting. A link that was put in place of the file
 * or of a folder on the way since the check is not followed, or is noticed. A file with a second name may be one of
 * another folder.
 */
async function openInside(folder: string, path: string, flags: number): Promise<FileHandle> {
  const { O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(await pathInside(folder, path), flags | O_NOFOLLOW | O_NONBLOCK);
  try {
    const [opened, named] = await Promise.all([
      file.stat(),
      pathInside(folder, path).then((real) => lstat(real)),
    ]);
    if (!opened.isFile() || opened.ino !== named.ino || opened.dev !== named.dev) {
      throw new ZooError('permission_denied', `'${path}' is not a regular file of the workspace.`);
    }
    if (opened.nlink === 1) return file;
    throw new ZooError(
      'permission_denied',
      `'${path}' is a hard link to a file that may be outside of the workspace.`,
    );
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The folder of a child: its parent's, or one below it, which may not exist yet. */
export async function childFolder(parent: string, subdir: string | null): Promise<string> {
  if (subdir === null || subdir === '') return parent;
  if (isAbsolute(subdir) || subdir.split(/[/\\]/).includes('..') || subdir.includes('\0')) {
    throw new ZooError('invalid_arguments', `'${subdir}' is not a path below the workspace.`);
  }
  return pathInside(parent, subdir);
}
