import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { codeOf } from '../../platform/files/text-file.ts';
import { userIgnoreList } from '../git/user-ignore-list.ts';

/** The rules of the user's list for all repositories, of a repository's own, and of the `.gitignore` files from its top down to one folder. */
export interface IgnoreRules {
  /** @param path absolute, of something directly in this folder */
  ignores(path: string, isFolder: boolean): boolean;
  /**
   * Those of a folder below. Throws where its `.gitignore` is there and cannot be read.
   *
   * @param names what is in it
   */
  below(folder: string, names: readonly string[]): IgnoreRules;
}

interface Level {
  folder: string;
  rules: Ignore;
}

function createIgnoreRules(levels: readonly Level[], userList: () => string | null): IgnoreRules {
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
    below(folder, names) {
      const own = [
        ...(names.includes('.git') ? levelsAtTop(folder, userList()) : []),
        ...(names.includes('.gitignore') ? loadLevel(folder) : []),
      ];
      return own.length > 0 ? createIgnoreRules([...levels, ...own], userList) : this;
    },
  };
}

/** The rules that hold at the root of a source: those above it count where it lies in a repository. */
export function rulesAbove(
  root: string,
  exists: (path: string) => boolean,
  loadUserList: () => string | null = userIgnoreList,
): IgnoreRules {
  let list: { text: string | null } | null = null;
  // Only where there is a repository, and once.
  const userList = () => (list ??= { text: loadUserList() }).text;
  const folders: string[] = [];
  for (let folder = root; ; folder = dirname(folder)) {
    if (folder !== root) folders.unshift(folder);
    if (exists(join(folder, '.git'))) break;
    if (dirname(folder) === folder) return createIgnoreRules([], userList);
  }
  const [top] = folders;
  const levels = [
    ...(top === undefined ? [] : levelsAtTop(top, userList())),
    ...folders.flatMap((folder) => loadLevel(folder)),
  ];
  // A root that is itself left out by its repository was named on purpose.
  return createIgnoreRules(
    levels.filter(({ folder, rules }) => !rules.ignores(`${inPosix(relative(folder, root))}/`)),
    userList,
  );
}

/** By name alone: `relative` is slow, and this is asked of every file. */
const relativeTo = (folder: string, path: string) =>
  path.slice(folder.length + (folder.endsWith(sep) ? 0 : 1));

const inPosix = (path: string) => (sep === '/' ? path : path.replaceAll(sep, '/'));

/** What this clone leaves out and others need not know of. In a second working tree, `.git` is a file that says where. */
function excludeFileOf(folder: string): string {
  const git = join(folder, '.git');
  const said = /^gitdir: (.+)$/m.exec(readPlainFile(git) ?? '')?.[1]?.trim();
  if (said === undefined) return join(git, 'info', 'exclude');
  const own = resolve(folder, said);
  return join(own, readPlainFile(join(own, 'commondir'))?.trim() ?? '.', 'info', 'exclude');
}

/** Those that hold in all of a repository, the weakest first. */
function levelsAtTop(top: string, userList: string | null): Level[] {
  const own = userList === null ? [] : [{ folder: top, rules: ignore().add(userList) }];
  return [...own, ...loadLevel(top, excludeFileOf(top))];
}

function loadLevel(folder: string, file = join(folder, '.gitignore')): Level[] {
  const text = readPlainFile(file);
  return text === null ? [] : [{ folder, rules: ignore().add(text) }];
}

/** Null where there is none. */
function readPlainFile(file: string): string | null {
  try {
    // A pipe of that name would be waited for without end.
    return lstatSync(file).isFile() ? readFileSync(file, 'utf8') : null;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
