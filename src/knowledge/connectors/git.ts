import { posix } from 'node:path';
import { realPath } from '../../platform/files/real-path.ts';
import { textIn } from '../connector-config.ts';
import type { Connector, ScannedItem } from '../connector.ts';
import { isBinaryName, namedKind } from '../extraction/content-kind.ts';
import { sizeProblem } from '../extraction/size-limits.ts';
import { createBlobReader } from '../git/blob-reader.ts';
import { withRepository } from '../git/fetch-repository.ts';
import { fileDates } from '../git/file-dates.ts';
import { locateGit, webAddress } from '../git/git-location.ts';
import { blobSizes, fetchMissingBlobs, listTree } from '../git/list-tree.ts';
import { createPathFilter, type PathFilter } from '../files/path-filter.ts';
import { SourceError } from '../source-error.ts';

/** The files of the newest commit of a branch. */
export const git: Connector = {
  type: 'git',
  location(source) {
    try {
      return locateGit(source).shown;
    } catch {
      return '(not a repository)';
    }
  },

  async *scan(source, context) {
    const { config, folder, confined } = source;
    const location = locateGit(source);
    const root = plainRoot(textIn(config, 'root') ?? '');
    const filter = createPathFilter(config);
    const fromTop = (path: string) => (root === '' ? path : `${root}/${path}`);
    const fetched = await withRepository(
      {
        location,
        branch: textIn(config, 'branch') ?? null,
        shallow: config.shallow === true,
        cache: context.cache,
        within: confined ? await realPath(folder) : null,
        signal: context.signal,
      },
      async (repository) => {
        const { files: all, others } = await listTree(repository, root);
        const files = all.filter(({ path }) => counts(path, filter) && !isBinaryName(path));
        const blobs = files.map(({ blob }) => blob);
        await fetchMissingBlobs(repository, new Set(blobs));
        return {
          all,
          others,
          files,
          repository,
          sizes: await blobSizes(repository, blobs),
          dateOf: await fileDates(repository, new Set(files.map(({ path }) => fromTop(path)))),
        };
      },
    );
    const { all, others, files, repository, sizes, dateOf } = fetched;
    for (const { path } of all) {
      if (isBinaryName(path) && counts(path, filter)) context.skip(path, 'is not text');
    }
    for (const { path, reason } of others) {
      if (path.endsWith('/') ? isReached(path, filter) : counts(path, filter)) context.skip(path, reason);
    }
    const addressOf = webAddress(location, repository.branch);
    const reader = createBlobReader(repository.path);
    context.onEnd(() => reader.close());
    const items: ScannedItem[] = [];
    for (const { path, blob } of files) {
      const bytes = sizes.get(blob) ?? null;
      const problem = bytes === null ? null : sizeProblem(namedKind(path), bytes);
      if (problem !== null) {
        context.skip(path, problem);
        continue;
      }
      const updatedAt = dateOf(fromTop(path));
      items.push({
        path,
        fingerprint: blob,
        bytes,
        ...(updatedAt === undefined ? {} : { updatedAt }),
        ...(addressOf ? { url: addressOf(fromTop(path)) } : {}),
        read: () => reader.read(blob),
      });
    }
    yield items;
    return { checkpoint: { head: repository.head } };
  },
};

const counts = (path: string, filter: PathFilter) => isReached(path, filter) && filter.takes(path);

function isReached(path: string, filter: PathFilter): boolean {
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    if (filter.leavesOut(path.slice(0, at))) return false;
  }
  return true;
}

function plainRoot(root: string): string {
  const plain = posix.normalize(root).replace(/^(?:\.?\/)+|\/+$/g, '');
  if (plain === '..' || plain.startsWith('../'))
    throw new SourceError(`\`root\` is outside of the repository: ${root}`);
  return plain === '.' ? '' : plain;
}
