import { SourceError } from '../source-error.ts';
import type { Repository } from './repository.ts';

export interface TreeFile {
  /** From the top of the repository. */
  path: string;
  blob: string;
}

/** An entry that is not a file of this repository. */
export interface TreeOther {
  /** Ends with a slash for a folder. */
  path: string;
  reason: string;
}

const REGULAR = /^100/;
const LINK = /^120/;

/** The regular files below a folder of the newest commit, and entries of other kinds: links and submodules. */
export async function listTree(
  { git, head, branch }: Repository,
  root: string,
): Promise<{ files: TreeFile[]; others: TreeOther[] }> {
  if (root !== '') {
    const kind = await git(['cat-file', '-t', `${head}:${root}`]).catch(() => '');
    if (kind.trim() !== 'tree') {
      throw new SourceError(
        `folder '${root}' not found in branch '${branch}'; its documents are kept. Check \`root\``,
      );
    }
  }
  const listed = await git(['ls-tree', '-r', '-z', '--full-tree', root === '' ? head : `${head}:${root}`]);
  const files: TreeFile[] = [];
  const others: TreeOther[] = [];
  for (const line of listed.split('\0')) {
    const [, mode = '', kind, blob = '', path = ''] = /^(\d+) (\w+) ([0-9a-f]+)\t([^]*)$/.exec(line) ?? [];
    if (kind === 'blob' && REGULAR.test(mode)) files.push({ path, blob });
    else if (kind === 'blob' && LINK.test(mode)) others.push({ path, reason: 'is a link' });
    else if (kind === 'commit')
      others.push({
        path: `${path}/`,
        reason: 'is a submodule; configure it as a separate source to index it',
      });
  }
  return { files, others };
}

const AT_ONCE = 20_000;

/** Fetches missing blobs of a partial clone, all at once rather than one by one. */
export async function fetchMissingBlobs(
  { git, head, fetchBlobs }: Repository,
  wanted: ReadonlySet<string>,
): Promise<void> {
  if (!fetchBlobs) return;
  const listed = await git(['rev-list', '--no-walk', '--objects', '--missing=print', head]);
  const missing = listed
    .split('\n')
    .flatMap((line) => (line.startsWith('?') && wanted.has(line.slice(1)) ? [line.slice(1)] : []));
  for (let at = 0; at < missing.length; at += AT_ONCE) await fetchBlobs(missing.slice(at, at + AT_ONCE));
}

/** The sizes of blobs, from one process. */
export async function blobSizes({ git }: Repository, blobs: readonly string[]): Promise<Map<string, number>> {
  const said = await git(['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
    input: `${blobs.join('\n')}\n`,
  });
  const sizes = said.split('\n').map((line) => line.split(' '));
  return new Map(
    sizes.flatMap(([blob = '', size]) => (/^\d+$/.test(size ?? '') ? [[blob, Number(size)]] : [])),
  );
}
