import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Tree } from './imports.ts';

const root = join(import.meta.dirname, '../..');

/** The project's own source files. */
export function sourceTree(wanted: (path: string) => boolean = () => true): Tree {
  const skipped = new Set(['node_modules', 'dist', 'golden', 'fixtures']);
  const read = (folder: string): [string, string][] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return skipped.has(entry.name) ? [] : read(path);
      if (!/\.(ts|tsx|js|css)$/.test(entry.name)) return [];
      return [[relative(root, path).split(sep).join('/'), readFileSync(path, 'utf8')]];
    });
  const tops = readdirSync(root).filter((name) => ['src', 'web', 'test', 'bench', 'scripts'].includes(name));
  return Object.fromEntries(tops.flatMap((name) => read(join(root, name))).filter(([path]) => wanted(path)));
}
