import { ZooError } from '../../contract/errors.ts';
import type { MemberDiff } from '../../contract/team.ts';
import type { StartProcess } from '../sandbox/sandbox.ts';
import type { Member } from '../state/team-state.ts';
import { runGit } from './run-git.ts';

const MOST_DIFF = 500_000;
const MOST_NEW_FILES = 100;
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color'];

/** The changes in a member's folder. `start` has the rights of the member. Throws `conflict` outside of a repository. */
export async function diffOf(start: StartProcess, { name, folder, worktree }: Member): Promise<MemberDiff> {
  const git = (...args: string[]) => runGit(start, folder, args);
  const { code } = await git('rev-parse', '--verify', '-q', 'HEAD');
  if (code !== 0)
    throw new ZooError('conflict', `The folder of '${name}' is not in a git repository with a commit.`);
  const base = worktree ? await baseOf(git, worktree.branch) : 'HEAD';
  const stats = await git('diff', ...PLAIN, '--numstat', '-z', '--no-renames', base, '--', '.');
  const changed = await git('diff', ...PLAIN, '--no-renames', base, '--', '.');
  const untracked = await git('ls-files', '--others', '--exclude-standard', '-z', '--', '.');
  const files = [...parseStats(stats.text)];
  let diff = changed.text;
  for (const path of untracked.text
    .split('\0')
    .filter((each) => each !== '')
    .slice(0, MOST_NEW_FILES)) {
    // Exits with 1 because the files differ.
    const { text } = await git('diff', ...PLAIN, '--no-index', '--', '/dev/null', path);
    files.push({
      path,
      added: text.split('\n').filter((line) => /^\+(?!\+\+ )/.test(line)).length,
      removed: 0,
    });
    diff += text;
  }
  return {
    branch: worktree?.branch ?? null,
    files,
    diff: diff.slice(0, MOST_DIFF),
    isShortened: diff.length > MOST_DIFF,
  };
}

/** Where the branch left the one that it was created from: its oldest reflog entry. */
async function baseOf(
  git: (...args: string[]) => Promise<{ text: string }>,
  branch: string,
): Promise<string> {
  const { text } = await git('reflog', 'show', '--format=%H', branch);
  return text.trim().split('\n').at(-1) || 'HEAD';
}

function* parseStats(text: string): Iterable<MemberDiff['files'][number]> {
  for (const line of text.split('\0').filter((each) => each !== '')) {
    const [added = '', removed = '', ...path] = line.split('\t');
    const count = (value: string): number | null => (value === '-' ? null : Number(value));
    yield { path: path.join('\t'), added: count(added), removed: count(removed) };
  }
}
