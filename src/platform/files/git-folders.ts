import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { OutsideError, readStart } from './open-regular.ts';
import { isInside, realPath } from './real-path.ts';

/** Where the parts of a repository on this machine are. */
export interface GitFolders {
  /** Contains `HEAD`; a separate folder for linked working trees. */
  head: string;
  /** Contains refs and `packed-refs`. */
  common: string;
  /** Contain objects: its own, and alternates. */
  objects: string[];
  /** Real paths of everything that was read. */
  places: string[];
}

type Enter = (path: string) => Promise<string>;
type Read = (path: string) => Promise<string | null>;

const MOST_ALTERNATES = 32;

/**
 * Finds a repository as git would (`.git` as a folder, a link or a file, `commondir`, `objects/info/alternates`)
 * without running git in it. Null if there is none. Throws an `OutsideError` for a part that is not `within`.
 */
export async function findGitFolders(path: string, within: string | null): Promise<GitFolders | null> {
  const places: string[] = [];
  const enter: Enter = async (part) => {
    const place = await realPath(part);
    if (within !== null && !isInside(within, place)) throw new OutsideError(part);
    places.push(place);
    return place;
  };
  const read: Read = async (part) => readStart(await enter(part), within);
  for (const candidate of [join(path, '.git'), path, `${path}.git`]) {
    const head = await gitFolderAt(candidate, enter, read);
    if (head === null || !(await exists(join(head, 'HEAD')))) continue;
    const elsewhere = await read(join(head, 'commondir'));
    const common = elsewhere === null ? head : await enter(resolve(head, firstLine(elsewhere)));
    if (!(await exists(join(common, 'objects')))) continue;
    if (!(await exists(join(common, 'refs'))) && !(await exists(join(common, 'reftable')))) continue;
    for (const part of ['refs', 'reftable', 'packed-refs', 'shallow']) await enter(join(common, part));
    await enter(join(head, 'HEAD'));
    return { head, common, objects: await objectFolders(join(common, 'objects'), enter, read), places };
  }
  return null;
}

async function gitFolderAt(candidate: string, enter: Enter, read: Read): Promise<string | null> {
  if (!(await exists(candidate))) return null;
  const place = await enter(candidate);
  if ((await stat(place)).isDirectory()) return place;
  const target = /^gitdir: (.+)$/m.exec((await read(place)) ?? '')?.[1];
  return target === undefined ? null : enter(resolve(dirname(candidate), target.trimEnd()));
}

async function objectFolders(first: string, enter: Enter, read: Read): Promise<string[]> {
  const found = new Set<string>();
  const pending = [first];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const folder = await enter(next);
    if (found.has(folder) || found.size >= MOST_ALTERNATES) continue;
    found.add(folder);
    await enter(join(folder, 'pack'));
    const lines = ((await read(join(folder, 'info', 'alternates'))) ?? '').split('\n');
    pending.push(...lines.filter((line) => /^[^#\s]/.test(line)).map((line) => resolve(folder, line)));
  }
  return [...found];
}

const firstLine = (text: string) => text.split('\n', 1)[0]?.trimEnd() ?? '';

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
