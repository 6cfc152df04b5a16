import type { Dirent } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitFolders, findGitFolders } from '../../platform/files/git-folders.ts';
import { OutsideError, readStart } from '../../platform/files/open-regular.ts';
import { codeOf } from '../../platform/files/text-file.ts';
import { SourceError } from '../source-error.ts';
import { prepareClone } from './clone-folder.ts';
import { copyFile } from './copy-file.ts';
import { copyObjects } from './copy-objects.ts';
import type { FetchOptions, Repository } from './repository.ts';
import { GitError, runGit } from './run-git.ts';

/**
 * Updates the copy of a local repository. Git never runs in the repository itself, which may be
 * hostile: its refs and objects are copied as files, and git runs on the copy, with our settings. Its config,
 * hooks, attributes, grafts and anything else that could run code or point elsewhere are not copied.
 */
export async function importLocal(options: FetchOptions, path: string): Promise<Repository> {
  const { location, within, signal } = options;
  const git: Repository['git'] = (args, more = {}) =>
    runGit({ repository: path, reach: 'nothing', args, signal, ...more });
  try {
    const folders = await findGitFolders(location.url, within);
    if (!folders) {
      throw new SourceError(`${location.shown} is not a repository, or you may not read it: check \`url\``);
    }
    await copyRepository(folders, path, options, git);
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    throw new SourceError(
      `it reads files outside of its workspace (${error.path}), which was not approved. Review them with \`zoo trust\``,
    );
  }
  return { ...(await newestCommit(options, git)), path, git, fetchBlobs: null };
}

/** Copies refs first, so that their objects exist even if something is committed meanwhile. */
async function copyRepository(
  folders: GitFolders,
  path: string,
  { within, signal }: FetchOptions,
  git: Repository['git'],
): Promise<void> {
  const { head, common, objects } = folders;
  for (const part of ['HEAD', 'packed-refs', 'refs', 'reftable', 'shallow'])
    await rm(join(path, part), { recursive: true, force: true });
  const settings = (await readStart(join(common, 'config'), within)) ?? '';
  const reftable = await copyRefs(common, path, within);
  await prepareClone(path, { sha256: /^\s*objectformat\s*=\s*"?sha256/im.test(settings), reftable });
  await copyFile(join(head, 'HEAD'), join(path, 'HEAD'), within);
  await copyFile(join(common, 'shallow'), join(path, 'shallow'), within);
  await copyObjects({ from: objects, into: join(path, 'objects'), within, signal, git });
}

async function newestCommit(
  { branch: wanted, location }: FetchOptions,
  git: Repository['git'],
): Promise<Pick<Repository, 'branch' | 'head'>> {
  const commitOf = (name: string) =>
    git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]).then(
      (said) => said.trim(),
      (error: unknown) => {
        // With --quiet, it prints nothing for a name that does not exist.
        if (error instanceof GitError && error.exitCode === 1) return null;
        throw error;
      },
    );
  const head = await commitOf(wanted ?? 'HEAD');
  if (head === null) {
    throw new SourceError(
      wanted === null
        ? `${location.shown} has no commits yet`
        : `branch '${wanted}' not found in ${location.shown}. Check \`branch\``,
    );
  }
  const named = await git(['symbolic-ref', '--quiet', '--short', 'HEAD']).catch(() => 'HEAD');
  return { branch: wanted ?? named.trim(), head };
}

/** Copies the refs of a repository, whatever their storage format. Returns true for reftables. */
async function copyRefs(common: string, into: string, within: string | null): Promise<boolean> {
  const tables = (await entriesOf(join(common, 'reftable'))).map(({ name }) => name);
  const names = tables.filter((name) => name === 'tables.list' || /^[\w-]+\.ref$/.test(name));
  for (const name of names)
    await copyFile(join(common, 'reftable', name), join(into, 'reftable', name), within);
  await copyFile(join(common, 'packed-refs'), join(into, 'packed-refs'), within);
  await copyLoose(join(common, 'refs'), join(into, 'refs'), within);
  return names.includes('tables.list');
}

/** Links to files are followed, links to folders are not: they could form a cycle. */
async function copyLoose(from: string, into: string, within: string | null): Promise<void> {
  for (const entry of await entriesOf(from)) {
    if (entry.name.endsWith('.lock')) continue;
    const [source, target] = [join(from, entry.name), join(into, entry.name)];
    if (entry.isDirectory()) await copyLoose(source, target, within);
    else await copyFile(source, target, within);
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}
