import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The record of a clone: its folder and address. */
const RECORD = 'clone.json';

interface CloneRecord {
  name: string;
  /** A hash: the address may hold a password. */
  address: string;
}

/** Files that could make git load settings, commands or objects from elsewhere. Our clones have none. */
const UNWANTED = [
  'commondir',
  'config.worktree',
  'hooks',
  'info',
  'modules',
  'worktrees',
  'gitdir',
  'objects/info/alternates',
  'objects/info/http-alternates',
];

/**
 * The folder with the clone of an address, in a private cache folder. Its name is random and stored in a
 * record, so that nobody can plant a repository there. All other clones in the cache are removed.
 */
export async function openCloneFolder(cache: string, address: string): Promise<string> {
  await mkdir(cache, { recursive: true, mode: 0o700 });
  await chmod(cache, 0o700);
  const hash = createHash('sha256').update(address).digest('hex');
  const known = await loadRecord(join(cache, RECORD));
  const name = known?.address === hash ? known.name : `${randomBytes(16).toString('hex')}.git`;
  const others = (await readdir(cache)).filter((each) => each.endsWith('.git') && each !== name);
  await Promise.all(others.map((each) => rm(join(cache, each), { recursive: true, force: true })));
  if (known?.name !== name) await saveRecord(join(cache, RECORD), { name, address: hash });
  return join(cache, name);
}

export interface CloneFormat {
  sha256?: boolean;
  reftable?: boolean;
}

/** Makes it a bare repository with our own settings. Its objects and refs are kept. */
export async function prepareClone(folder: string, format: CloneFormat = {}): Promise<void> {
  await Promise.all(UNWANTED.map((part) => rm(join(folder, part), { recursive: true, force: true })));
  for (const part of ['objects/pack', 'refs'])
    await mkdir(join(folder, part), { recursive: true, mode: 0o700 });
  const extensions = [
    ...(format.sha256 ? ['\tobjectFormat = sha256'] : []),
    ...(format.reftable ? ['\trefStorage = reftable'] : []),
  ];
  const lines = [
    '[core]',
    `\trepositoryFormatVersion = ${extensions.length > 0 ? 1 : 0}`,
    '\tbare = true',
    ...(extensions.length > 0 ? ['[extensions]', ...extensions] : []),
  ];
  await writeWhole(join(folder, 'config'), `${lines.join('\n')}\n`);
}

/** Replaces any file of that name, including links. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await rm(`${file}.new`, { recursive: true, force: true });
  await writeFile(`${file}.new`, text, { mode: 0o600, flag: 'wx' });
  await rename(`${file}.new`, file);
}

async function loadRecord(file: string): Promise<CloneRecord | null> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is CloneRecord {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('address' in value))
    return false;
  return typeof value.address === 'string' && /^[0-9a-f]{32}\.git$/.test(String(value.name));
}

const saveRecord = (file: string, record: CloneRecord) => writeWhole(file, JSON.stringify(record));
