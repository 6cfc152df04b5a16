import { compileGlob } from '../../platform/files/glob.ts';
import { type SourceEntry, textsIn } from '../connector-config.ts';

/** The paths that a source indexes, by its globs. */
export interface PathFilter {
  /** @param path of a file whose folders are not excluded */
  takes(path: string): boolean;
  /** Whether nothing below this folder is indexed. */
  leavesOut(folder: string): boolean;
}

const never = new Set(['.git', 'node_modules', '.hg', '.svn']);

/**
 * A glob without a slash matches names at any depth. Hidden names (`.env`, `.github`) are included only if an include
 * glob names them, as `.github/**` does: most are settings, and some are secrets.
 */
export function createPathFilter(entry: SourceEntry): PathFilter {
  const include = textsIn(entry, 'include_globs').map(atAnyDepth);
  const included = include.map((glob) => compileGlob(glob));
  const excluded = textsIn(entry, 'exclude_globs').map((glob) =>
    compileGlob(atAnyDepth(glob), { dot: true }),
  );
  const namesHidden = include.some((glob) => /(?:^|[/{,!])\.[^./]/.test(glob));
  const isHidden = (path: string) => path.startsWith('.') || path.includes('/.');
  const isExcluded = (path: string) => excluded.some((matches) => matches(path));

  return {
    takes: (path) =>
      (namesHidden || !isHidden(path)) &&
      (included.length === 0 || included.some((matches) => matches(path))) &&
      !isExcluded(path),
    leavesOut(folder) {
      const name = folder.slice(folder.lastIndexOf('/') + 1);
      return never.has(name) || (!namesHidden && name.startsWith('.')) || isExcluded(folder);
    },
  };
}

function atAnyDepth(glob: string): string {
  const plain = glob.replace(/^\.?\//, '');
  if (plain.endsWith('/')) return `${plain}**`;
  return plain.includes('/') || plain !== glob ? plain : `**/${plain}`;
}
