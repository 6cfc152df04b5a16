import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built file of a worker, from the bundle and from the sources alike. */
export function workerFile(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const file = join(folder, 'dist', 'workers', `${name}.mjs`);
    if (existsSync(file)) return file;
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`the worker '${name}' is not built; run npm run build`);
    folder = parent;
  }
}
