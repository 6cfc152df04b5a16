import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import nodeModule, { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { homeFiles, zooHome } from '../home/paths.ts';
import { VERSION } from '../home/version.ts';
import { makeFolder } from '../files/make-folder.ts';

/** The parameters that Node gives a CommonJS file, and `importChunk`. */
const PARAMETERS = 'exports, require, module, __filename, __dirname, importChunk';

/** As `require` does, for the command and each of its chunks. */
const loaded = new Map<string, { exports: unknown }>();

/**
 * Requires one of our own large files. Node before 22.1 has no compile cache, and compiles it at every start: a third
 * of the time of a short command. So the compiled code is kept in the home, which belongs to the user alone. Code
 * from V8's cache has no loader for `import()`, so the file gets the one of this file as `importChunk`.
 */
export function loadCompiled(file: string): unknown {
  const known = loaded.get(file);
  if (known) return known.exports;
  const require = createRequire(file);
  const home = zooHome(process.env);
  // Only in an existing home: a command that only reads must not create one.
  if ('enableCompileCache' in nodeModule || !existsSync(home)) return require(file);
  const folder = homeFiles(home).compiled;
  const kept = join(folder, cacheName(file));
  const cachedData = readOwn(kept);
  const script = new Script(`(function (${PARAMETERS}) {${readFileSync(file, 'utf8')}\n})`, {
    filename: file,
    ...(cachedData && { cachedData }),
  });
  const made: { exports: unknown } = { exports: {} };
  loaded.set(file, made);
  const run: unknown = script.runInThisContext();
  if (typeof run !== 'function') throw new Error(`${file} is not a module`);
  const importChunk = (path: string): Promise<unknown> => import(path);
  Reflect.apply(run, undefined, [made.exports, require, made, file, dirname(file), importChunk]);
  // At exit, so that lazily compiled functions are kept as well.
  if (!cachedData || script.cachedDataRejected) process.once('exit', () => keep(script, folder, kept));
  return made.exports;
}

/** V8 compares the length of the source and its own version; the rest is for us to tell apart. */
function cacheName(file: string): string {
  const { size, mtimeMs } = statSync(file);
  return `${basename(file)}-${VERSION}-${size}-${Math.round(mtimeMs)}-${process.version}-${process.arch}`;
}

/** Null if there is none, or if it is not this user's: its content is executed. */
function readOwn(path: string): Buffer | null {
  try {
    const { uid, mode } = statSync(path);
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
    return isOwn ? readFileSync(path) : null;
  } catch {
    return null;
  }
}

/** Without a cache the next start is slower, and nothing else. */
function keep(script: Script, folder: string, path: string): void {
  try {
    makeFolder(folder, 0o700);
    const [prefix = ''] = basename(path).split('-', 1);
    for (const name of readdirSync(folder)) {
      if (name.startsWith(`${prefix}-`)) rmSync(join(folder, name), { force: true });
    }
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, script.createCachedData(), { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    return;
  }
}
