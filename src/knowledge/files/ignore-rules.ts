import { dirname, join, relative, resolve, sep } from 'node:path';
import { userIgnoreList } from '../git/user-ignore-list.ts';
import { type Gitignore, parseGitignore } from './gitignore.ts';
import { readPlainFile } from './read-file.ts';

/** Git's ignore rules that apply in one folder: the user's own list, the repository's, and `.gitignore` files from its top down. */
export interface IgnoreRules {
  /** @param path absolute, of an entry of this folder */
  ignores(path: string, isFolder: boolean): boolean;
  /**
   * The rules for a subfolder. Throws if its `.gitignore` exists and cannot be read.
   *
   * @param names the entries of the subfolder
   */
  below(folder: string, names: readonly string[]): IgnoreRules;
}

interface Level {
  folder: string;
  rules: Gitignore;
}

function createIgnoreRules(levels: readonly Level[], userList: () => string | null): IgnoreRules {
  return {
    ignores(path, isFolder) {
      // The innermost level with a matching rule decides.
      for (let at = levels.length - 1; at >= 0; at--) {
        const level = levels[at];
        const ignored = level?.rules.ignores(inPosix(relativeTo(level.folder, path)), isFolder) ?? null;
        if (ignored !== null) return ignored;
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

/** The rules that apply at the root of a source, including those above it in its repository. */
export function rulesAbove(
  root: string,
  exists: (path: string) => boolean,
  loadUserList: () => string | null = userIgnoreList,
): IgnoreRules {
  let list: { text: string | null } | null = null;
  // Loaded once, and only in a repository.
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
  // A root that its own repository ignores was configured on purpose.
  return createIgnoreRules(
    levels.filter(({ folder, rules }) => !ignoresFolder(rules, inPosix(relative(folder, root)))),
    userList,
  );
}

function ignoresFolder(rules: Gitignore, path: string): boolean {
  const names = path.split('/');
  return names.some((_, at) => rules.ignores(names.slice(0, at + 1).join('/'), true) === true);
}

/** `path.relative` is slow, and this runs for every file. */
const relativeTo = (folder: string, path: string) =>
  path.slice(folder.length + (folder.endsWith(sep) ? 0 : 1));

const inPosix = (path: string) => (sep === '/' ? path : path.replaceAll(sep, '/'));

/** The clone's own ignore list. In a linked working tree, `.git` is a file with the path of the real one. */
function excludeFileOf(folder: string): string {
  const git = join(folder, '.git');
  const target = /^gitdir: (.+)$/m.exec(readPlainFile(git) ?? '')?.[1]?.trim();
  if (target === undefined) return join(git, 'info', 'exclude');
  const own = resolve(folder, target);
  return join(own, readPlainFile(join(own, 'commondir'))?.trim() ?? '.', 'info', 'exclude');
}

/** The rules for a whole repository, weakest first. */
function levelsAtTop(top: string, userList: string | null): Level[] {
  const own = userList === null ? [] : [{ folder: top, rules: parseGitignore(userList) }];
  return [...own, ...loadLevel(top, excludeFileOf(top))];
}

function loadLevel(folder: string, file = join(folder, '.gitignore')): Level[] {
  const text = readPlainFile(file);
  return text === null ? [] : [{ folder, rules: parseGitignore(text) }];
}
