import { constants } from 'node:fs';
import { chown, copyFile, lstat, mkdir, open, readFile, readlink, rename, rm, stat } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import { ZooError } from '../../contract/errors.ts';
import { isInside, realPath } from '../files/real-path.ts';
import { codeOf } from '../files/text-file.ts';
import { reasonOf } from '../text/system-error.ts';
import { BrokenConfig } from './format.ts';

export interface ConfigText {
  text: string;
  /** Preserved. */
  mark: '\uFEFF' | '';
  exists: boolean;
}

export async function loadConfig(file: string): Promise<ConfigText> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR')
      return { text: '', mark: '', exists: false };
    throw new BrokenConfig(`it cannot be read: ${reasonOf(error)}`, null);
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const marked = text.startsWith('\uFEFF');
    return { text: marked ? text.slice(1) : text, mark: marked ? '\uFEFF' : '', exists: true };
  } catch {
    throw new BrokenConfig('it is not UTF-8 text', null);
  }
}

export function whereIn(file: string, { line }: BrokenConfig): string {
  return line === null ? file : `${file}:${line}`;
}

/** Reports a file that cannot be edited because it is broken, with the line. */
export async function refuseBroken<T>(file: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BrokenConfig)) throw error;
    throw new ZooError(
      'invalid_arguments',
      `${whereIn(file, error)}: ${error.message}. Nothing was changed.`,
    );
  }
}

interface SaveOptions {
  /** Of a new file. */
  mode: number;
  /** Where the file must be, after its links. Null for files of the user, which may be links to anywhere. */
  within: string | null;
}

let lastSave: Promise<unknown> = Promise.resolve();

/**
 * Replaces a file atomically, through links, keeping mode and owner. Fails with `conflict` if the file is no longer
 * as it was `before`. Returns the path of the backup.
 */
export function saveConfig(
  file: string,
  before: ConfigText,
  text: string,
  options: SaveOptions,
): Promise<string | null> {
  // One at a time: between the last look at a file and its replacement, this process writes nothing else.
  const save = lastSave.then(() => replaceFile(file, before, text, options));
  lastSave = save.catch(() => undefined);
  return save;
}

/** A link in a cloned repository must not lead an edit to files of the user. */
export async function requireInside(file: string, folder: string): Promise<void> {
  const target = await realPath(await followLinks(file));
  if (isInside(await realPath(folder), target)) return;
  throw new ZooError(
    'invalid_arguments',
    `${file} is a link to ${target}, outside of its folder. Edit that file instead.`,
  );
}

async function replaceFile(
  file: string,
  before: ConfigText,
  text: string,
  { mode, within }: SaveOptions,
): Promise<string | null> {
  if (within !== null) await requireInside(file, within);
  const target = await followLinks(file);
  try {
    await mkdir(dirname(target), { recursive: true });
    const backup = before.exists ? await keepCopy(file) : null;
    const draft = join(dirname(target), `.${basename(target)}.zoo-${randomUUID()}`);
    try {
      await writeDraft(draft, target, before.mark + text, mode);
      // Another program may have written to it meanwhile.
      const now = await loadConfig(file);
      if (now.exists !== before.exists || now.text !== before.text) {
        throw new ZooError('conflict', `${file} was changed by another program just now. Try again.`);
      }
      await rename(draft, target);
    } finally {
      await rm(draft, { force: true });
    }
    return backup;
  } catch (error) {
    if (error instanceof ZooError || error instanceof BrokenConfig) throw error;
    throw new ZooError('invalid_arguments', `cannot write ${file}: ${reasonOf(error)}`);
  }
}

async function writeDraft(draft: string, target: string, text: string, mode: number): Promise<void> {
  const old = await stat(target).catch(() => null);
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.chmod(old ? old.mode & 0o777 : mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
  // As root, keep the file's owner.
  if (old && process.getuid?.() === 0) await chown(draft, old.uid, old.gid);
}

/** An existing backup is older and kept. */
async function keepCopy(file: string): Promise<string> {
  const backup = `${file}.zoo-backup`;
  try {
    await copyFile(file, backup, constants.COPYFILE_EXCL);
    return backup;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  if ((await readFile(file)).equals(await readFile(backup))) return backup;
  const at = new Date().toISOString().replaceAll(/[-:]|\..*/g, '');
  for (let n = 1; ; n += 1) {
    const later = n === 1 ? `${backup}-${at}` : `${backup}-${at}-${n}`;
    try {
      await copyFile(file, later, constants.COPYFILE_EXCL);
      return later;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}

/** Resolved by hand, since a link may lead to a missing file. */
async function followLinks(file: string): Promise<string> {
  let path = resolve(file);
  for (let hops = 0; hops < 32; hops += 1) {
    const found = await lstat(path).catch(() => null);
    if (!found?.isSymbolicLink()) return path;
    path = resolve(dirname(path), await readlink(path));
  }
  throw new ZooError('invalid_arguments', `cannot write ${file}: its symbolic links form a loop`);
}
