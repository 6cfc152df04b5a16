import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { codeOf } from '../platform/text-file.ts';

/** The rules of the `.gitignore` files from the top of a repository down to one folder. */
export interface IgnoreRules {
  /** @param path absolute, of something directly in this folder */
  ignores(path: string, isFolder: boolean): boolean;
  /** Those of a folder below. Throws where its `.gitignore` is there and cannot be read. */
  below(folder: string, hasOwn: boolean): IgnoreRules;
}

interface Level {
  folder: string;
  rules: Ignore;
}

function createIgnoreRules(levels: readonly Level[]): IgnoreRules {
  return {
    ignores(path, isFolder) {
      // The nearest that says something about it decides.
      for (let at = levels.length - 1; at >= 0; at--) {
        const level = levels[at];
        if (!level) continue;
        const way = relativeTo(level.folder, path);
        const name = sep === '/' ? way : way.replaceAll(sep, '/');
        const { ignored, unignored } = level.rules.test(isFolder ? `${name}/` : name);
        if (ignored) return true;
        if (unignored) return false;
      }
      return false;
    },
    below(folder, hasOwn) {
      const own = hasOwn ? loadLevel(folder) : null;
      return own ? createIgnoreRules([...levels, own]) : this;
    },
  };
}

/** The rules that hold at the root of a source: those above it count where it lies in a repository. */
export function rulesAbove(root: string, exists: (path: string) => boolean): IgnoreRules {
  const folders: string[] = [];
  for (let folder = root; ; folder = dirname(folder)) {
    if (folder !== root) folders.unshift(folder);
    if (exists(join(folder, '.git'))) break;
    if (dirname(folder) === folder) return createIgnoreRules([]);
  }
  const levels = folders.map(loadLevel).filter((level) => level !== null);
  // A root that is itself left out by its repository was named on purpose.
  return createIgnoreRules(
    levels.filter(({ folder, rules }) => !rules.ignores(`${inPosix(relative(folder, root))}/`)),
  );
}

/** By name alone: `relative` is slow, and this is asked of every file. */
const relativeTo = (folder: string, path: string) =>
  path.slice(folder.length + (folder.endsWith(sep) ? 0 : 1));

const inPosix = (path: string) => (sep === '/' ? path : path.replaceAll(sep, '/'));

function loadLevel(folder: string): Level | null {
  const file = join(folder, '.gitignore');
  try {
    // A pipe of that name would be waited for without end.
    if (!lstatSync(file).isFile()) return null;
    return { folder, rules: ignore().add(readFileSync(file, 'utf8')) };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
