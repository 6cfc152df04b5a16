import type { GitLocation } from './git-location.ts';
import type { GitRun } from './run-git.ts';

export interface FetchOptions {
  location: GitLocation;
  branch: string | null;
  /** Only the newest commit. Otherwise its history is fetched as well, without the contents of old versions. */
  shallow: boolean;
  /** Where its copy is kept. */
  cache: string;
  /** A real path that every file of a local repository must be in; null where it may be anywhere. */
  within: string | null;
  signal: AbortSignal;
}

/** A copy of a branch as it is now. */
export interface Repository {
  branch: string;
  head: string;
  path: string;
  /** Runs git on the copy, which reaches nothing else. */
  git(args: readonly string[], more?: Pick<GitRun, 'input' | 'onOutput'>): Promise<string>;
  /** Fetches contents that the copy lacks; null if there is no remote. */
  fetchBlobs: ((ids: readonly string[]) => Promise<void>) | null;
}
