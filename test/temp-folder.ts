import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface TempFolder extends AsyncDisposable {
  path: string;
  /** Writes a file, with the folders it needs, and gives its path. */
  write(name: string, content: string | Uint8Array): Promise<string>;
  /** Replaces a file in one step: a watcher never reads it empty, as it may during `write`. */
  replace(name: string, content: string | Uint8Array): Promise<void>;
}

/** A real folder with these files, gone at the end of the test: `await using folder = await tempFolder()`. */
export async function tempFolder(files: Record<string, string | Uint8Array> = {}): Promise<TempFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'zoo-')));
  const write = async (name: string, content: string | Uint8Array) => {
    const file = join(path, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    return file;
  };
  const replace = async (name: string, content: string | Uint8Array) => {
    const aside = `${path}.aside`;
    await writeFile(aside, content);
    await rename(aside, join(path, name));
  };
  for (const [name, content] of Object.entries(files)) await write(name, content);
  return {
    path,
    write,
    replace,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }),
  };
}
