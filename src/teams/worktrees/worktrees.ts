import { mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ZooError } from '../../contract/errors.ts';
import { realPath } from '../../platform/files/real-path.ts';
import type { StartProcess } from '../sandbox/sandbox.ts';
import type { Member, Worktree } from '../state/team-state.ts';
import { requireGit, runGit } from './run-git.ts';

/** The folders of members, and their git worktrees. */
export interface Worktrees {
  /** Creates the folder of a member, or its worktree, before its first turn. */
  prepare(member: Member, above: Member | null): Promise<void>;
  /** Commits what is left, and merges the branch into the folder that it came from. Throws `conflict`. */
  merge(member: Member, above: Member | null): Promise<void>;
  /** Removes worktree and branch. */
  remove(member: Member, above: Member | null): Promise<void>;
}

/** `confine` starts processes with the rights of a member; git runs with those of the member whose folder it changes. */
export function createWorktrees(confine: (member: Member, alsoWritable?: string) => StartProcess): Worktrees {
  const withRightsAbove = (member: Member, above: Member | null): StartProcess =>
    confine(above ?? member, dirname(member.folder));

  return {
    async prepare(member, above) {
      const { worktree, folder } = member;
      if (!worktree || worktree.state !== 'open') return prepareFolder(folder);
      // A session was started in it before, so it is complete.
      if (member.session !== null && (await exists(join(folder, '.git')))) return;
      await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
      const start = withRightsAbove(member, above);
      await rm(folder, { recursive: true, force: true });
      await runGit(start, worktree.source, ['worktree', 'prune']);
      const { code } = await runGit(start, worktree.source, ['rev-parse', '--verify', '-q', worktree.branch]);
      const branch = code === 0 ? [folder, worktree.branch] : ['-b', worktree.branch, folder];
      await requireGit(start, worktree.source, ['worktree', 'add', ...branch]);
    },
    async merge(member, above) {
      const { branch, source } = requireOpen(member);
      const own = confine({ ...member, role: 'worker' });
      await requireGit(own, member.folder, ['add', '-A']);
      const { text: changed } = await runGit(own, member.folder, ['status', '--porcelain']);
      if (changed !== '')
        await requireGit(own, member.folder, ['commit', '-q', '-m', `Work of ${member.name}`]);
      const start = withRightsAbove(member, above);
      const merged = await runGit(start, source, [
        'merge',
        '--no-edit',
        '-m',
        `Merge the work of ${member.name}`,
        branch,
      ]);
      if (merged.code === 0) return;
      await runGit(start, source, ['merge', '--abort']);
      throw new ZooError(
        'conflict',
        `The work of '${member.name}' cannot be merged: ${(merged.text + merged.errors).trim().slice(0, 2000)}`,
      );
    },
    async remove(member, above) {
      const { branch, source } = requireOpen(member);
      const start = withRightsAbove(member, above);
      await runGit(start, source, ['worktree', 'remove', '--force', member.folder]);
      await rm(member.folder, { recursive: true, force: true });
      await runGit(start, source, ['worktree', 'prune']);
      await requireGit(start, source, ['branch', '-D', branch]);
    },
  };
}

/** The folder was checked when the member was accepted; a link may have been put in its way since. */
async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  if ((await realPath(folder)) === folder) return;
  throw new ZooError('permission_denied', `'${folder}' is outside of the workspace.`);
}

function requireOpen({ name, worktree }: Member): Worktree {
  if (worktree?.state === 'open') return worktree;
  throw new ZooError(
    'conflict',
    worktree ? `The worktree of '${name}' is ${worktree.state}.` : `'${name}' has no worktree of its own.`,
  );
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
