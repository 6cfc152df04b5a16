import { join } from 'node:path';
import { ZooError } from '../../contract/errors.ts';
import { realPath } from '../../platform/files/real-path.ts';
import type { Processes } from '../../platform/processes/processes.ts';
import type { Harness } from '../harness.ts';
import type { Member } from '../state/team-state.ts';
import type { Confinement, Sandbox, StartProcess } from './sandbox.ts';

export interface ConfineOptions {
  processes: Processes;
  sandbox: Sandbox;
  /** False if the user has switched the sandbox off. */
  isOn(): boolean;
  harness(name: string): Harness;
  /** For members without a network; null for those with one. */
  gateway(member: Member): Promise<Confinement['gateway']>;
}

/** Starts processes with the rights of a member. `alsoWritable` is for git, which creates worktrees elsewhere. */
export type ConfineMember = (member: Member, alsoWritable?: string) => StartProcess;

export function createConfineMember(options: ConfineOptions): ConfineMember {
  const { processes, sandbox, isOn, harness, gateway } = options;
  return (member, alsoWritable) => async (launch) => {
    if (!isOn()) return processes.start(launch);
    await requireSandbox(sandbox);
    await requireReal(member.folder);
    const { worktree, folder } = member;
    const gitDir = worktree?.gitDir ?? join(folder, '.git');
    const guarded = [join(gitDir, 'config'), join(gitDir, 'hooks')];
    const start = sandbox.confine({
      member: member.id,
      folder,
      readOnly: member.role === 'reviewer',
      writable: [...(worktree ? [gitDir] : []), ...(alsoWritable === undefined ? [] : [alsoWritable])],
      guarded: await realOnes(guarded),
      readable: harness(member.harness).readable,
      gateway: await gateway(member),
    });
    return start(launch);
  };
}

/** Throws where processes cannot be confined: no sandbox, no member. */
export async function requireSandbox(sandbox: Sandbox): Promise<void> {
  const missing = await sandbox.missing();
  if (missing === null) return;
  throw new ZooError(
    'permission_denied',
    `Members run in a sandbox, but ${missing}. To run them without one, with all your rights, add \`[team]\` with \`sandbox = "off"\` to your own zoo.toml.`,
  );
}

/** The folder was checked when the member was accepted; a link may have been put in its place since. */
async function requireReal(folder: string): Promise<void> {
  if ((await realPath(folder)) === folder) return;
  throw new ZooError('permission_denied', `'${folder}' is no longer a folder of the workspace.`);
}

/** Without those that lead elsewhere through a link: their targets would become visible. */
async function realOnes(paths: readonly string[]): Promise<string[]> {
  const real = await Promise.all(paths.map((path) => realPath(path)));
  return paths.filter((path, index) => real[index] === path);
}
