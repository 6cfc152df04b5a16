import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isInside, realPath } from '../files/real-path.ts';

/** File types that a script can `require` or `import`. */
const SCRIPT_EXTENSIONS = new Set(['.lua', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.jsx', '.tsx']);

export const isScript = (path: string) => SCRIPT_EXTENSIONS.has(extname(path).toLowerCase());

/** Larger files are identified by size and times, since reading them every time would be slow. */
const READ_UP_TO = 64 * 1024 * 1024;
const KEPT_HASHES = 10_000;
const hashes = new Map<string, string>();

export const MISSING = 'missing';

/** Hash of a file's content, or a marker for a missing or irregular file. */
export async function hashFile(path: string): Promise<string> {
  try {
    const { size, mtimeNs, ctimeNs, ino, ...info } = await facts(path);
    if (!info.isFile) return info.isDirectory ? 'folder' : 'special';
    // A program can reset a file's mtime, but not its ctime.
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
    return MISSING;
  }
}

async function facts(path: string) {
  const info = await stat(path, { bigint: true });
  const { size, mtimeNs, ctimeNs, ino } = info;
  return { size, mtimeNs, ctimeNs, ino, isFile: info.isFile(), isDirectory: info.isDirectory() };
}

/** A cache for one check: several files share their folders. */
export interface ContentLook {
  /**
   * A script and all other code in its folder and below, which it may load. For a script directly in `root` or
   * outside of it, subfolders are excluded. Links count if they stay inside. The loader must allow nothing beyond
   * this.
   */
  scriptsBeside(script: string, root: string): Promise<string[]>;
  /** The code near a file or in a folder that a command names, bounded; nothing for paths outside of `root`. */
  codeNear(path: string, root: string): Promise<string[]>;
  hashFile(path: string): Promise<string>;
  realPath(path: string): Promise<string>;
}

/** Extensions of code. Not JSON, because servers store data in it. */
const CODE = new Set(
  `.js .mjs .cjs .jsx .ts .mts .cts .tsx .node .wasm .py .pyc .pyd .pth .toml .cfg .ini .yaml .yml .env .lua .rb .php
   .pl .pm .sh .bash .zsh .fish .ps1 .cmd .bat .exe .dll .so .dylib .jar .class .go .rs .swift .kt .cs .fs .ex .exs
   .erl .clj .scala .r .jl .properties .gradle .mk`.split(/\s+/),
);
/** Files that determine what package runners and interpreters run. */
export const MANIFESTS: readonly string[] =
  'package.json .npmrc tsconfig.json pyproject.toml uv.toml deno.json deno.jsonc bunfig.toml Makefile'.split(
    ' ',
  );
/** Takes a few milliseconds to check. Larger folders are checked in part, and the user is told. */
export const MOST_NEARBY = 2000;
const DEEPEST_NEARBY = 10;

async function isCode(path: string): Promise<boolean> {
  const name = basename(path);
  if (MANIFESTS.includes(name) || CODE.has(extname(name).toLowerCase())) return true;
  // Programs often have no extension, such as `bin/server`.
  return extname(name) === '' && isExecutable(path);
}

/**
 * The code in a folder of the workspace and below, without hidden folders and installed packages. Sorted, so that
 * the limit always cuts at the same place.
 */
async function codeBelow(start: string, root: string): Promise<string[]> {
  const found: string[] = [];
  let level = [start];
  const visited = new Set<string>();
  for (let depth = 0; level.length > 0 && depth <= DEEPEST_NEARBY; depth += 1) {
    const next: string[] = [];
    for (const folder of level) {
      const real = await realPath(folder);
      if (visited.has(real) || !isInside(root, real)) continue;
      visited.add(real);
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
        const path = join(folder, entry.name);
        const isFolder = entry.isSymbolicLink() ? await isDirectory(path) : entry.isDirectory();
        if (isFolder && entry.name !== 'node_modules' && !entry.name.startsWith('.')) next.push(path);
        if (!isFolder && (await isCode(path))) found.push(path);
        if (found.length >= MOST_NEARBY) return found;
      }
    }
    level = next;
  }
  return found;
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
  const nearby = remember(async (root) => remember((folder) => codeBelow(folder, root)));
  const roots = remember(async (root) => remember((folder) => scriptsIn(folder, root)));
  return {
    async scriptsBeside(script, root) {
      const beside = await (await roots(root))(dirname(script));
      return beside.includes(script) ? beside : [...beside, script].toSorted();
    },
    async codeNear(path, root) {
      if (!isInside(root, await realPath(path))) return [];
      if (await isDirectory(path)) return (await nearby(root))(path);
      return (await isThere(path)) ? (await nearby(root))(dirname(path)) : [];
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

const isExecutable = (path: string) =>
  stat(path).then(
    (info) => (info.mode & 0o111) !== 0,
    () => false,
  );

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Equal for equal values, regardless of key order. */
export function hashValue(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
