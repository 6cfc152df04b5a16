import { lstat } from 'node:fs/promises';
import { basename, dirname, extname, join, normalize, sep } from 'node:path';
import type { FSWatcher } from 'chokidar';
import { isScript } from '../trust/content-hash.ts';
import { isInside, realPath } from './real-path.ts';

/**
 * Absolute paths; none of them needs to exist yet. Of folders, the Markdown and script files below them count.
 * Links are not followed: name what they lead to as well, where that may be watched.
 */
export interface WatchedPaths {
  files: readonly string[];
  folders: readonly string[];
}

export interface Watcher {
  /** Watches these and no others. `onChange` follows once it does, for what happened on the way there. */
  update(paths: WatchedPaths): Promise<void>;
  close(): Promise<void>;
}

export interface WatchHandlers {
  onChange(): void;
  onError(error: unknown): void;
}

export function createWatcher({ onChange, onError }: WatchHandlers): Watcher {
  const open = new Set<FSWatcher>();
  let watched = '';
  let closed = false;

  return {
    async update(paths) {
      const files = await places(paths.files);
      const folders = await places(paths.folders);
      const roots = await rootsOf([...files, ...folders]);
      const key = JSON.stringify([
        roots,
        files,
        folders,
        await Promise.all([...files, ...folders].map(identity)),
      ]);
      if (key === watched) return;
      watched = key;

      const { watch } = await import('chokidar');
      if (closed) return;
      const matches = matcher(files, folders);
      const next = watch(roots, {
        ignored: (path, stats) => !matches(normalize(path), stats?.isFile() ?? false),
        ignoreInitial: true,
        // The real places behind links are watched as such; following links here would never end in a cycle.
        followSymlinks: false,
        ignorePermissionErrors: true,
      });
      // Until this one is ready the others go on.
      const earlier = [...open];
      open.add(next);
      next.on('all', onChange);
      // A link that becomes a folder of the same name in one go is no event to chokidar, but one to the system.
      next.on('raw', (_event: string, name: string | null, details: unknown) => {
        const folder = watchedPath(details);
        if (folder === null || name === null) return;
        const path = basename(folder) === name ? folder : join(folder, name);
        if (matches(normalize(path), extname(path) !== '')) onChange();
      });
      next.on('error', onError);
      next.on('ready', () => {
        onChange();
        for (const one of earlier) {
          open.delete(one);
          void one.close();
        }
      });
    },

    async close() {
      closed = true;
      await Promise.all([...open].map((one) => one.close()));
    },
  };
}

/** Each path as it is named in its real folder. The last part stays a link: where it leads is for the caller to say. */
async function places(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map(async (path) => join(await realPath(dirname(path)), basename(path))),
  );
  return [...new Set(found)].toSorted();
}

/** Differs once a folder or a link is another one than before, under its old name. */
async function identity(path: string): Promise<string> {
  const info = await lstat(path).catch(() => null);
  return info?.isDirectory() || info?.isSymbolicLink() ? `${info.ino}` : '';
}

function watchedPath(details: unknown): string | null {
  if (typeof details !== 'object' || details === null || !('watchedPath' in details)) return null;
  return typeof details.watchedPath === 'string' ? details.watchedPath : null;
}

/** The nearest folders that exist, without those inside of another one. */
async function rootsOf(paths: readonly string[]): Promise<string[]> {
  const nearest = await Promise.all(paths.map(nearestFolder));
  const folders = [...new Set(nearest)].toSorted();
  return folders.filter((folder) => !folders.some((other) => other !== folder && isInside(other, folder)));
}

async function nearestFolder(path: string): Promise<string> {
  for (let folder = path; ; folder = dirname(folder)) {
    const exists = await lstat(folder).then(
      (info) => info.isDirectory(),
      () => false,
    );
    if (exists || dirname(folder) === folder) return folder;
  }
}

function matcher(files: readonly string[], folders: readonly string[]) {
  const named = new Set([...files, ...folders]);
  const onTheWay = new Set<string>();
  for (const path of named) {
    for (let folder = dirname(path); !onTheWay.has(folder); folder = dirname(folder)) onTheWay.add(folder);
  }
  return (path: string, isFile: boolean): boolean => {
    if (named.has(path) || (onTheWay.has(path) && !isFile)) return true;
    const folder = folders.find((one) => isInside(one, path));
    if (folder === undefined) return false;
    const parts = path.slice(folder.length).split(sep);
    if (parts.includes('node_modules') || parts.includes('.git')) return false;
    return !isFile || extname(path).toLowerCase() === '.md' || isScript(path);
  };
}
