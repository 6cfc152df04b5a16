import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../files/text-file.ts';

/** Secrets that have to be kept in clear text, each in a file that only its owner can read. */
export interface SecretFiles {
  path(name: string): string;
  list(): Promise<string[]>;
  /** Null if there is no secret of this name. */
  read(name: string): Promise<string | null>;
  /** Atomic: a reader gets the old secret or the new one. */
  write(name: string, secret: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Names become file names: validate names from outside. */
export function createSecretFiles(folder: string): SecretFiles {
  return {
    path: (name) => join(folder, name),
    async list() {
      const names = await readdir(folder).catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return [];
        throw error;
      });
      return names.filter((name) => !name.startsWith('.')).toSorted();
    },
    async read(name) {
      try {
        return await readFile(join(folder, name), 'utf8');
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return null;
        throw error;
      }
    },
    async write(name, secret) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const draft = join(folder, `.${name}.${randomUUID()}`);
      await writeFile(draft, secret, { mode: 0o600, flag: 'wx' });
      await chmod(draft, 0o600);
      await rename(draft, join(folder, name));
    },
    remove: (name) => rm(join(folder, name), { force: true }),
  };
}
