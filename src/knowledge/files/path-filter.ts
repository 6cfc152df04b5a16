import picomatch from 'picomatch';
import { type SourceEntry, textsIn } from '../connector-config.ts';

/** Which paths of a source count, as its globs have it. */
export interface PathFilter {
  /** Of a path in folders that are not left out. */
  takes(path: string): boolean;
  /** Whether nothing below this folder can count. */
  leavesOut(folder: string): boolean;
}

const never = new Set(['.git', 'node_modules', '.hg', '.svn']);

/**
 * A glob without a slash means a name at any depth. Names that begin with a dot count only where an include names
 * them, as `.github/**` does: they are mostly settings, and some are secrets.
 */
export function createPathFilter(entry: SourceEntry): PathFilter {
  const include = textsIn(entry, 'include_globs').map(atAnyDepth);
  const exclude = textsIn(entry, 'exclude_globs').map(atAnyDepth);
  const included = include.length > 0 ? picomatch(include) : () => true;
  const excluded = exclude.length > 0 ? picomatch(exclude, { dot: true }) : () => false;
  const namesHidden = include.some((glob) => /(?:^|[/{,!])\.[^./]/.test(glob));
  const hidden = (path: string) => path.startsWith('.') || path.includes('/.');

  return {
    takes: (path) => (namesHidden || !hidden(path)) && included(path) && !excluded(path),
    leavesOut(folder) {
      const name = folder.slice(folder.lastIndexOf('/') + 1);
      return never.has(name) || (!namesHidden && name.startsWith('.')) || excluded(folder);
    },
  };
}

function atAnyDepth(glob: string): string {
  const plain = glob.replace(/^\.?\//, '');
  if (plain.endsWith('/')) return `${plain}**`;
  return plain.includes('/') || plain !== glob ? plain : `**/${plain}`;
}
