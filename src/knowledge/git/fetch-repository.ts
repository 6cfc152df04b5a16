import { rm } from 'node:fs/promises';
import { SourceError } from '../source-error.ts';
import { openCloneFolder } from './clone-folder.ts';
import { fetchRemote } from './fetch-remote.ts';
import { explainGitFailure, isBrokenCopy } from './git-failure.ts';
import { importLocal } from './import-local.ts';
import type { FetchOptions, Repository } from './repository.ts';

/**
 * Updates the copy, even after a rewritten history, and runs work on it. A copy that is broken, or that a killed
 * process left locked, is rebuilt.
 */
export async function withRepository<T>(
  options: FetchOptions,
  work: (repository: Repository) => Promise<T>,
): Promise<T> {
  const { location, cache } = options;
  const branch = options.branch === null ? null : plainBranch(options.branch);
  const path = await openCloneFolder(cache, location.url);
  const update = location.isLocal ? importLocal : fetchRemote;
  const attempt = async () => work(await update({ ...options, branch }, path));
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

function plainBranch(branch: string): string {
  if (/^[-+]|[\s:*?~^\\[\p{Cc}]|\.\.|@\{/u.test(branch) || branch === '') {
    throw new SourceError(`\`branch\` is not a valid branch name: '${branch}'`);
  }
  return branch;
}
