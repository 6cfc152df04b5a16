import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../files/text-file.ts';

/** Secrets that have to be kept in clear: each in a file that its owner alone can read. */
export interface SecretFiles {
  /** Null when there is none of this name. */
  read(name: string): Promise<string | null>;
  /** Replaced in one step; nobody reads half of it. */
  write(name: string, secret: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Names are ours, never a caller's. */
export function createSecretFiles(folder: string): SecretFiles {
  return {
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
