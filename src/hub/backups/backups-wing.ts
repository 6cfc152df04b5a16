import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ZooError } from '../../contract/errors.ts';
import type { Backup } from '../../contract/operations/backups.ts';
import { codeOf } from '../../platform/files/text-file.ts';
import { homeFiles } from '../../platform/home/paths.ts';
import { backupStore, requireBackup, restoreStore } from '../../platform/store/backup.ts';
import type { Base } from '../base/open-base.ts';
import type { Wing } from '../wing.ts';

/** Per response; base64 adds a third. */
const PART_BYTES = 4 * 1024 * 1024;

/** Copies of the store in the hub's own folder. */
export function createBackupsWing({ home, db, now }: Pick<Base, 'home' | 'db' | 'now'>): Wing<'backups'> {
  const folder = homeFiles(home).backups;
  /** One upload at a time; a file that was left behind is overwritten by the next one. */
  const uploading = join(folder, 'upload.part');
  const describe = async (name: string): Promise<Backup> => {
    const { size, mtime } = await stat(join(folder, name));
    return { name, bytes: size, at: mtime.toISOString() };
  };
  const find = async (name: string): Promise<string> => {
    const { names } = await list();
    if (!names.includes(name)) throw new ZooError('invalid_arguments', `Backup '${name}' not found.`);
    return join(folder, name);
  };
  const list = async (): Promise<{ names: string[] }> => {
    const found = await readdir(folder).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    });
    return { names: found.filter((name) => name.endsWith('.db')) };
  };
  return {
    operations: {
      async listBackups() {
        const backups = await Promise.all((await list()).names.map(describe));
        return { folder, backups: backups.toSorted((a, b) => (a.at < b.at ? 1 : -1)) };
      },

      async createBackup() {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const name = `backup-${now().toISOString().replaceAll(/[:.]/g, '-')}.db`;
        // Under another name until it is complete: a partial file must not pass for a backup.
        const draft = join(folder, `${name}.part`);
        try {
          await backupStore(db, draft);
          await rename(draft, join(folder, name));
        } finally {
          await rm(draft, { force: true });
        }
        return describe(name);
      },

      async readBackup({ name, offset = 0 }) {
        const file = await open(await find(name));
        try {
          const { bytesRead, buffer } = await file.read(Buffer.alloc(PART_BYTES), 0, PART_BYTES, offset);
          const end = offset + bytesRead;
          const { size } = await file.stat();
          return { data: buffer.toString('base64', 0, bytesRead), next: end < size ? end : null };
        } finally {
          await file.close();
        }
      },

      async writeBackup({ name, body: { data, offset, done = false } }) {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        if ((await list()).names.includes(name))
          throw new ZooError('already_exists', `A backup named '${name}' already exists.`);
        const end = await writePart(uploading, Buffer.from(data, 'base64'), offset);
        if (done) {
          try {
            requireBackup(uploading, 'The uploaded file');
            await rename(uploading, join(folder, name));
          } finally {
            await rm(uploading, { force: true });
          }
        }
        return { bytes: end };
      },

      async restoreBackup({ name }) {
        const { previous } = await restoreStore(db, home, await find(name));
        return { previous: basename(previous) };
      },
    },
  };
}

/** Returns where the next part begins. */
async function writePart(path: string, part: Buffer, offset: number): Promise<number> {
  const file = await open(path, offset === 0 ? 'w' : 'a', 0o600);
  try {
    if ((await file.stat()).size !== offset) {
      throw new ZooError('conflict', 'Another upload has started meanwhile. Upload the file again.');
    }
    await file.writeFile(part);
    return offset + part.length;
  } finally {
    await file.close();
  }
}
