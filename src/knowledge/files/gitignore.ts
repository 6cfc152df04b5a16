import { compileGlob } from '../../platform/files/glob.ts';

/**
 * The rules of one `.gitignore` file. The `ignore` package is not used: it builds backtracking expressions, with which
 * a cloned repository could hang the sync.
 */
export interface Gitignore {
  /**
   * True if the last rule for this path ignores it, false if that rule is an exception, null if no rule applies.
   *
   * @param path relative to the folder of the file, with `/` between its parts
   */
  ignores(path: string, isFolder: boolean): boolean | null;
}

interface Rule {
  exception: boolean;
  foldersOnly: boolean;
  /** Applies to names at any depth rather than to paths. */
  byName: boolean;
  matches(text: string): boolean;
}

/** Ignores case, as some file systems do: indexing a secret is worse than missing a note. */
export function parseGitignore(text: string): Gitignore {
  const rules = text.split(/\r?\n/).flatMap(parseRule).toReversed();
  return {
    ignores(path, isFolder) {
      const lower = path.toLowerCase();
      const name = lower.slice(lower.lastIndexOf('/') + 1);
      const rule = rules.find(
        ({ foldersOnly, byName, matches }) => (isFolder || !foldersOnly) && matches(byName ? name : lower),
      );
      return rule ? !rule.exception : null;
    },
  };
}

function parseRule(line: string): Rule[] {
  const written = withoutTrailingSpaces(line);
  if (written === '' || written.startsWith('#')) return [];
  const exception = written.startsWith('!');
  const pattern = exception ? written.slice(1) : written;
  const foldersOnly = pattern.endsWith('/');
  const glob = (foldersOnly ? pattern.slice(0, -1) : pattern).toLowerCase();
  if (glob === '') return [];
  const byName = !glob.includes('/');
  try {
    const matches = byName ? nameTest(glob) : compileGlob(glob.replace(/^\//, ''), SYNTAX);
    return [{ exception, foldersOnly, byName, matches }];
  } catch {
    // The glob is longer than any name or path can be.
    return [];
  }
}

const SYNTAX = { dot: true, syntax: 'gitignore' } as const;

/** Most rules are `*.log` or `dist`, and each is tested with every file. */
function nameTest(glob: string): (name: string) => boolean {
  const ending = /^\*([^*?[\\]+)$/.exec(glob)?.[1];
  return ending === undefined ? compileGlob(glob, SYNTAX) : (name) => name.endsWith(ending);
}

/** Trailing spaces count only after a backslash. */
function withoutTrailingSpaces(line: string): string {
  const trimmed = line.replace(/^\uFEFF/, '').trimEnd();
  return trimmed.endsWith('\\') && trimmed.length < line.length ? `${trimmed} ` : trimmed;
}
