import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isInside, realPath } from '../files/real-path.ts';

/** What `require` and `import` reach from a script. */
const SCRIPT_EXTENSIONS = new Set(['.lua', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.jsx', '.tsx']);

export const isScript = (path: string) => SCRIPT_EXTENSIONS.has(extname(path).toLowerCase());

/** A larger file is known by its size and times: reading it on every look would be felt. */
const READ_UP_TO = 64 * 1024 * 1024;
const KEPT_HASHES = 10_000;
const hashes = new Map<string, string>();

/** Of a file's content; of what is not there, or is not a file, that this is so. */
export async function hashFile(path: string): Promise<string> {
  try {
    const { size, mtimeNs, ctimeNs, ino, ...info } = await facts(path);
    if (!info.isFile) return info.isDirectory ? 'folder' : 'special';
    // A program can set back the time of the last change of a file's content, but not of its inode.
    const state = `${size} ${mtimeNs} ${ctimeNs} ${ino}`;
    if (size > READ_UP_TO) return state;
    const key = `${path}\0${state}`;
    const known = hashes.get(key);
    if (known !== undefined) return known;
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    const digest = hash.digest('hex');
    if (hashes.size >= KEPT_HASHES) hashes.clear();
    hashes.set(key, digest);
    return digest;
  } catch {
    return 'missing';
  }
}

async function facts(path: string) {
  const info = await stat(path, { bigint: true });
  const { size, mtimeNs, ctimeNs, ino } = info;
  return { size, mtimeNs, ctimeNs, ino, isFile: info.isFile(), isDirectory: info.isDirectory() };
}

/** The disk as it is now: what was asked once is known, for those that are asked for share their folders. */
export interface ContentLook {
  /**
   * A script and every other one in its folder and below: what its own text may load. Directly in `root`, or outside
   * of it, what is below does not count, and links count where they stay inside; a loader must reach no further.
   */
  scriptsBeside(script: string, root: string): Promise<string[]>;
  hashFile(path: string): Promise<string>;
  realPath(path: string): Promise<string>;
}

export function lookAtContent(): ContentLook {
  const remember = <T>(ask: (path: string) => Promise<T>) => {
    const known = new Map<string, Promise<T>>();
    return (path: string): Promise<T> => {
      const answer = known.get(path) ?? ask(path);
      known.set(path, answer);
      return answer;
    };
  };
  const roots = remember(async (root) => remember((folder) => scriptsIn(folder, root)));
  return {
    async scriptsBeside(script, root) {
      const beside = await (await roots(root))(dirname(script));
      return beside.includes(script) ? beside : [...beside, script].toSorted();
    },
    hashFile: remember(hashFile),
    realPath: remember(realPath),
  };
}

async function scriptsIn(start: string, root: string): Promise<string[]> {
  const found = new Set<string>();
  const visited = new Set<string>();
  const pending = [start];
  const deep = start !== root && isInside(root, await realPath(start));
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const real = await realPath(folder);
    if (visited.has(real)) continue;
    visited.add(real);
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      const linked = entry.isSymbolicLink();
      if (linked && !isInside(root, await realPath(path))) continue;
      const isFolder = linked ? await isDirectory(path) : entry.isDirectory();
      if (!isFolder && isScript(entry.name)) found.add(path);
      if (deep && isFolder && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
        pending.push(path);
    }
  }
  return [...found].toSorted();
}

const isDirectory = (path: string) =>
  stat(path).then(
    (info) => info.isDirectory(),
    () => false,
  );

/** The same for equal values, whatever the order of their keys. */
export function hashValue(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
