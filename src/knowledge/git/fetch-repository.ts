import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SourceError } from '../source-error.ts';
import { explainGitFailure, isBrokenCopy } from './git-failure.ts';
import type { GitLocation } from './git-location.ts';
import { type GitRun, runGit } from './run-git.ts';

export interface FetchOptions {
  location: GitLocation;
  branch: string | null;
  /** The newest commit alone. Otherwise its history comes along, without the contents of old versions. */
  shallow: boolean;
  /** Where copies are kept. */
  cache: string;
  signal: AbortSignal;
}

/** A copy of a branch as it is now. */
export interface Repository {
  branch: string;
  head: string;
  path: string;
  settings: Readonly<Record<string, string>>;
  git(args: readonly string[], more?: Pick<GitRun, 'input' | 'onOutput'>): Promise<string>;
}

const HEAD = 'refs/zoo/head';

/**
 * Brings the copy up to date, whatever became of its history, and does with it what needs it whole. A copy that is
 * broken, or that a killed process left locked, is made anew.
 */
export async function withRepository<T>(
  options: FetchOptions,
  work: (repository: Repository) => Promise<T>,
): Promise<T> {
  const { location, cache } = options;
  const branch = options.branch === null ? null : plainBranch(options.branch);
  const mark = createHash('sha256').update(location.url).digest('hex').slice(0, 16);
  const path = join(cache, `${mark}.git`);
  await dropOthers(cache, `${mark}.git`);
  const attempt = async () => work(await bringUpToDate({ ...options, branch }, path));
  try {
    return await attempt().catch(async (error: unknown) => {
      if (!isBrokenCopy(error)) throw error;
      await rm(path, { recursive: true, force: true });
      return attempt();
    });
  } catch (error) {
    throw explainGitFailure(error, location, branch);
  }
}

async function bringUpToDate(options: FetchOptions, path: string): Promise<Repository> {
  const { location, shallow, signal } = options;
  // Never in its config, which may be read, nor among its arguments, which others can list.
  const settings = {
    'remote.origin.url': location.url,
    ...(comesWhole(location)
      ? {}
      : { 'remote.origin.promisor': 'true', 'remote.origin.partialclonefilter': 'blob:none' }),
  };
  const git: Repository['git'] = (args, more = {}) =>
    runGit({ repository: path, args, signal, settings, ...more });
  if (!existsSync(join(path, 'HEAD'))) {
    await rm(path, { recursive: true, force: true });
    await mkdir(path, { recursive: true });
    await git(['init', '--quiet', '--bare']);
  }
  const branch = options.branch ?? (await defaultBranch(git, location));
  const filter = comesWhole(location) ? [] : ['--filter=blob:none'];
  const depth = shallow ? ['--depth=1'] : [...filter, ...(await deepen(path))];
  await git([
    'fetch',
    '--quiet',
    '--force',
    '--no-tags',
    '--no-recurse-submodules',
    '--no-write-fetch-head',
    '--update-shallow',
    ...depth,
    'origin',
    `+${branch}:${HEAD}`,
  ]);
  const head = (await git(['rev-parse', '--verify', '--quiet', `${HEAD}^{commit}`])).trim();
  return { branch, head, path, settings, git };
}

/**
 * Whether old versions come along too. Git asks a repository that is itself shallow for the commits which that does
 * not have, again and again without end, if the copy is one that fetches what it misses.
 */
function comesWhole({ url, isLocal }: GitLocation): boolean {
  if (isLocal) return true;
  if (!/^file:\/\//i.test(url)) return false;
  const path = decodeURI(url.replace(/^file:\/\/[^/]*/i, ''));
  return [path, join(path, '.git')].some((folder) => existsSync(join(folder, 'shallow')));
}

/** A copy that was shallow once gets its history when it is wanted. */
async function deepen(path: string): Promise<string[]> {
  return existsSync(join(path, 'shallow')) ? ['--unshallow'] : [];
}

async function defaultBranch(git: Repository['git'], location: GitLocation): Promise<string> {
  const said = await git(['ls-remote', '--symref', 'origin', 'HEAD']);
  const found = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(said)?.[1];
  if (found !== undefined) return found;
  if (/^[0-9a-f]{40,}\tHEAD$/m.test(said)) return 'HEAD';
  // A web page at that address is taken by git for a repository without any.
  const doubt = location.isLocal ? '' : ', or is not a repository: check `url`';
  throw new SourceError(`${location.shown} has no commits yet${doubt}`);
}

function plainBranch(branch: string): string {
  if (/^[-+]|[\s:*?~^\\[\p{Cc}]|\.\.|@\{/u.test(branch) || branch === '') {
    throw new SourceError(`\`branch\` is not the name of a branch: '${branch}'`);
  }
  return branch;
}

/** Copies of addresses that this source had before. */
async function dropOthers(cache: string, own: string): Promise<void> {
  const names = await readdir(cache).catch(() => []);
  const others = names.filter((name) => /^[0-9a-f]{16}\.git$/.test(name) && name !== own);
  await Promise.all(others.map((name) => rm(join(cache, name), { recursive: true, force: true })));
}
