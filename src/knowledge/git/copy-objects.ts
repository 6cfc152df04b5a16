import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../platform/files/text-file.ts';
import { SourceError } from '../source-error.ts';
import { copyFile } from './copy-file.ts';
import type { Repository } from './repository.ts';

interface ObjectCopy {
  /** The object folders of a repository. */
  from: readonly string[];
  into: string;
  within: string | null;
  signal: AbortSignal;
  /** Runs git on the copy. */
  git: Repository['git'];
}

const FAN_OUT = /^[0-9a-f]{2}$/;
const LOOSE = /^(?:[0-9a-f]{38}|[0-9a-f]{62})$/;
const PACK = /^pack-[0-9a-f]{40,64}\.pack$/;
const AT_ONCE = 16;
const ATTEMPTS = 3;

/**
 * Syncs the objects of the copy with the repository. Objects are immutable, so only new ones are read. Packs
 * are indexed again, since the repository's own index cannot be trusted.
 */
export async function copyObjects(copy: ObjectCopy): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // Git may pack loose objects meanwhile and delete their files.
    if (await copyOnce(copy)) return;
  }
  throw new SourceError('the repository keeps changing while it is read; try again later');
}

async function copyOnce({ from, into, within, signal, git }: ObjectCopy): Promise<boolean> {
  const theirs = new Map<string, string>();
  for (const folder of from) {
    for (const name of await objectFiles(folder)) {
      if (!theirs.has(name)) theirs.set(name, join(folder, name));
    }
  }
  const ours = new Set(await objectFiles(into));
  for (const name of ours) {
    if (theirs.has(name)) continue;
    await rm(join(into, name), { force: true });
    if (name.endsWith('.pack')) await rm(indexOf(join(into, name)), { force: true });
  }
  const missing = [...theirs].filter(([name]) => !ours.has(name));
  const packs = missing.filter(([name]) => name.endsWith('.pack'));
  const loose = missing.filter(([name]) => !name.endsWith('.pack'));
  for (const [name, file] of packs) {
    signal.throwIfAborted();
    const target = join(into, name);
    if (!(await copyFile(file, target, within))) return false;
    await rm(indexOf(target), { force: true });
    await git(['index-pack', target]);
  }
  for (let at = 0; at < loose.length; at += AT_ONCE) {
    signal.throwIfAborted();
    const some = loose.slice(at, at + AT_ONCE);
    const copied = await Promise.all(some.map(([name, file]) => copyFile(file, join(into, name), within)));
    if (copied.includes(false)) return false;
  }
  return true;
}

const indexOf = (pack: string) => pack.replace(/\.pack$/, '.idx');

/** Only complete packs: one without its index is still being written. */
async function objectFiles(folder: string): Promise<string[]> {
  const packed = new Set(await namesIn(join(folder, 'pack')));
  const packs = [...packed].filter((name) => PACK.test(name) && packed.has(indexOf(name)));
  const found = packs.map((name) => `pack/${name}`);
  for (const fan of (await namesIn(folder)).filter((name) => FAN_OUT.test(name))) {
    const names = (await namesIn(join(folder, fan))).filter((name) => LOOSE.test(name));
    found.push(...names.map((name) => `${fan}/${name}`));
  }
  return found;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}
