import { posix } from 'node:path';
import { importsOf, type Tree } from './imports.ts';

interface Cycle {
  file: string;
  /** Where `file` imports the first of `through`. */
  line: number;
  /** The files on the way, back to `file` itself. */
  through: string[];
}

/** The cycles of imports in src/; none only if there is none. */
export function findCycles(tree: Tree): Cycle[] {
  const cycles: Cycle[] = [];
  const done = new Set<string>();

  const visit = (file: string, trail: { file: string; line: number }[]): void => {
    const start = trail.findIndex((step) => step.file === file);
    const first = trail[start];
    if (first) {
      cycles.push({ ...first, through: [...trail.slice(start + 1).map((step) => step.file), file] });
      return;
    }
    if (done.has(file)) return;
    for (const { specifier, line } of importsOf(tree[file] ?? '')) {
      const target = posix.join(posix.dirname(file), specifier);
      if (specifier.startsWith('.') && target in tree) visit(target, [...trail, { file, line }]);
    }
    done.add(file);
  };

  for (const file of Object.keys(tree)) if (file.startsWith('src/')) visit(file, []);
  return cycles;
}
