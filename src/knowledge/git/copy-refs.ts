import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../platform/files/text-file.ts';
import { copyFile } from './copy-file.ts';

/** Copies the refs of a repository, in whichever form it keeps them. True for reftables. */
export async function copyRefs(common: string, into: string, within: string | null): Promise<boolean> {
  const tables = (await entriesOf(join(common, 'reftable'))).map(({ name }) => name);
  const names = tables.filter((name) => name === 'tables.list' || /^[\w-]+\.ref$/.test(name));
  for (const name of names)
    await copyFile(join(common, 'reftable', name), join(into, 'reftable', name), within);
  await copyFile(join(common, 'packed-refs'), join(into, 'packed-refs'), within);
  await copyLoose(join(common, 'refs'), join(into, 'refs'), within);
  return names.includes('tables.list');
}

/** A link may stand for a file, but not for a folder: it could lead in a circle. */
async function copyLoose(from: string, into: string, within: string | null): Promise<void> {
  for (const entry of await entriesOf(from)) {
    if (entry.name.endsWith('.lock')) continue;
    const [source, target] = [join(from, entry.name), join(into, entry.name)];
    if (entry.isDirectory()) await copyLoose(source, target, within);
    else await copyFile(source, target, within);
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}
