import type { GitLocation } from './git-location.ts';
import type { GitRun } from './run-git.ts';

export interface FetchOptions {
  location: GitLocation;
  branch: string | null;
  /** Whether to fetch only the newest commit, or also the history without the contents of old versions. */
  shallow: boolean;
  /** Where its copy is kept. */
  cache: string;
  /** The real path that must contain every file of a local repository; null if they may be anywhere. */
  within: string | null;
  signal: AbortSignal;
}

/** An up-to-date copy of a branch. */
export interface Repository {
  branch: string;
  head: string;
  path: string;
  /** Runs git on the copy, without access to anything else. */
  git(args: readonly string[], more?: Pick<GitRun, 'input' | 'onOutput'>): Promise<string>;
  /** Fetches contents that the copy lacks; null if there is no remote. */
  fetchBlobs: ((ids: readonly string[]) => Promise<void>) | null;
}
