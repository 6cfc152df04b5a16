import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SourceError } from '../source-error.ts';
import { prepareClone, writeWhole } from './clone-folder.ts';
import type { FetchOptions, Repository } from './repository.ts';
import { runGit } from './run-git.ts';

const HEAD = 'refs/zoo/head';
/** Not `origin`, for which the user may have settings. */
const REMOTE = 'zoo-source';

/** Updates the clone of an approved address from one of its branches. */
export async function fetchRemote(options: FetchOptions, path: string): Promise<Repository> {
  const { location, shallow, signal } = options;
  await prepareClone(path);
  await writeWhole(join(path, 'HEAD'), `ref: ${HEAD}\n`);
  // Never stored in its config or passed as an argument, where others could read it.
  const settings = {
    [`remote.${REMOTE}.url`]: location.url,
    [`remote.${REMOTE}.uploadpack`]: 'git-upload-pack',
    [`remote.${REMOTE}.promisor`]: 'true',
    [`remote.${REMOTE}.partialclonefilter`]: 'blob:none',
  };
  const git: Repository['git'] = (args, more = {}) =>
    runGit({ repository: path, reach: 'nothing', args, signal, ...more });
  const connect: Repository['git'] = (args, more = {}) =>
    runGit({ repository: path, reach: 'remote', args, signal, settings, ...more });
  const fetch = ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];

  const branch = options.branch ?? (await defaultBranch(connect, location.shown));
  // Deepen a shallow copy if the history is needed now.
  const deepen = existsSync(join(path, 'shallow')) ? ['--unshallow'] : [];
  const depth = shallow ? ['--depth=1'] : ['--filter=blob:none', ...deepen];
  await connect([...fetch, '--force', '--update-shallow', ...depth, REMOTE, `+${branch}:${HEAD}`]);
  const head = (await git(['rev-parse', '--verify', '--quiet', `${HEAD}^{commit}`])).trim();
  return {
    branch,
    head,
    path,
    git,
    async fetchBlobs(ids) {
      const args = [
        '-c',
        'fetch.negotiationAlgorithm=noop',
        ...fetch,
        '--filter=blob:none',
        '--stdin',
        REMOTE,
      ];
      await connect(args, { input: `${ids.join('\n')}\n` });
    },
  };
}

async function defaultBranch(connect: Repository['git'], shown: string): Promise<string> {
  const said = await connect(['ls-remote', '--symref', REMOTE, 'HEAD']);
  const found = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(said)?.[1];
  if (found !== undefined) return found;
  if (/^[0-9a-f]{40,}\tHEAD$/m.test(said)) return 'HEAD';
  // Git treats a web page at that address as a repository without branches.
  throw new SourceError(`${shown} has no commits yet, or is not a repository: check \`url\``);
}
