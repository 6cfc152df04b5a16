import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Processes } from '../../platform/processes/processes.ts';
import type { Harness, SessionLaunch } from '../../teams/harness.ts';
import {
  type ConfineMember,
  createConfineMember,
  requireSandbox,
} from '../../teams/sandbox/confine-member.ts';
import { createSandbox } from '../../teams/sandbox/sandbox.ts';
import { createWorktrees, type Worktrees } from '../../teams/worktrees/worktrees.ts';
import type { Base } from '../base/open-base.ts';
import { findHarness } from './member-plans.ts';
import { createSettleWorktree, type SettleWorktree } from './settle-worktree.ts';
import type { TeamSettings } from './team-settings.ts';

/** Where members work: their sandbox, their folders and worktrees. */
export interface MemberPlaces {
  isConfined(): boolean;
  /** Throws for a name that is not configured. */
  harness(name: string): Harness;
  confine: ConfineMember;
  homeOf(member: string): SessionLaunch['home'];
  worktrees: Worktrees;
  /** Holds the worktrees. */
  worktreesFolder: string;
  settleWorktree: SettleWorktree;
  /** Why members cannot be confined here; null if they can. */
  sandboxMissing(): Promise<string | null>;
  /** Throws if members cannot be confined although they have to be. */
  requireSandbox(): Promise<void>;
  /** Removes what a member that is over leaves on disk, besides its workspace. */
  cleanUp(member: string): Promise<void>;
}

export interface MemberPlacesOptions extends Pick<Base, 'home' | 'env'> {
  processes: Processes;
  settings(): TeamSettings;
}

export function createMemberPlaces({ home, env, processes, settings }: MemberPlacesOptions): MemberPlaces {
  const isConfined = () => settings().sandbox === 'on';
  const harness = (name: string) => findHarness(settings().harnesses, name);
  const sandbox = createSandbox({ processes, env, zooHome: home });
  const confine = createConfineMember({ processes, sandbox, isOn: isConfined, harness, gateway: () => null });
  const worktrees = createWorktrees(confine);
  return {
    isConfined,
    harness,
    confine,
    homeOf(member) {
      const outside = sandbox.homeOf(member);
      return { outside, inside: isConfined() ? (env['HOME'] ?? homedir()) : outside };
    },
    worktrees,
    worktreesFolder: join(home, 'worktrees'),
    settleWorktree: createSettleWorktree(worktrees),
    sandboxMissing: sandbox.missing,
    requireSandbox: async () => (isConfined() ? requireSandbox(sandbox) : undefined),
    cleanUp: (member) => rm(sandbox.homeOf(member), { recursive: true, force: true }),
  };
}
