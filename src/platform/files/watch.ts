import { lstat } from 'node:fs/promises';
import { basename, dirname, extname, join, normalize, sep } from 'node:path';
import type { FSWatcher } from 'chokidar';
import { isScript } from '../trust/content-hash.ts';
import { isInside, realPath } from './real-path.ts';

/**
 * Absolute paths, which need not exist yet. In folders, Markdown and script files are watched. Links are not
 * followed: pass their targets as well if those may be watched.
 */
export interface WatchedPaths {
  files: readonly string[];
  folders: readonly string[];
}

export interface Watcher {
  /** Watches exactly these paths. Calls `onChange` once it is ready, to cover changes in between. */
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
        // Link targets are watched separately; following links here would loop on cycles.
        followSymlinks: false,
        ignorePermissionErrors: true,
      });
      // The previous watchers run until this one is ready.
      const earlier = [...open];
      open.add(next);
      next.on('all', onChange);
      // Chokidar misses a link that is replaced by a folder of the same name in one step.
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

/** Each path with its parent folders resolved. The last part may stay a link. */
async function places(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map(async (path) => join(await realPath(dirname(path)), basename(path))),
  );
  return [...new Set(found)].toSorted();
}

/** Changes when a folder or link is replaced by another one with the same name. */
async function identity(path: string): Promise<string> {
  const info = await lstat(path).catch(() => null);
  return info?.isDirectory() || info?.isSymbolicLink() ? `${info.ino}` : '';
}

function watchedPath(details: unknown): string | null {
  if (typeof details !== 'object' || details === null || !('watchedPath' in details)) return null;
  return typeof details.watchedPath === 'string' ? details.watchedPath : null;
}

/** The nearest existing folders, without nested ones. */
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
