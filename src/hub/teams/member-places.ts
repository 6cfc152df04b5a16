import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { realPath } from '../../platform/files/real-path.ts';
import { homeFiles } from '../../platform/home/paths.ts';
import type { Processes } from '../../platform/processes/processes.ts';
import { HUB_SOCKET } from '../../teams/sandbox/bubblewrap.ts';
import type { BridgeCommand, Harness, SessionLaunch } from '../../teams/harness.ts';
import {
  type ConfineMember,
  createConfineMember,
  requireSandbox,
} from '../../teams/sandbox/confine-member.ts';
import { createGateways } from '../../teams/sandbox/gateways.ts';
import { type Confinement, createSandbox } from '../../teams/sandbox/sandbox.ts';
import type { Member } from '../../teams/state/team-state.ts';
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
  /** `zoo mcp`, as the processes of members start it. */
  bridge(): Promise<BridgeCommand>;
  worktrees: Worktrees;
  /** Holds the worktrees. */
  worktreesFolder: string;
  settleWorktree: SettleWorktree;
  /** Why members cannot be confined here; null if they can. */
  sandboxMissing(): Promise<string | null>;
  /** Throws if members cannot be confined although they have to be. */
  requireSandbox(): Promise<void>;
  /** Removes the files of a member that has ended, except for its workspace. */
  cleanUp(member: string): Promise<void>;
  close(): Promise<void>;
}

export interface MemberPlacesOptions extends Pick<Base, 'home' | 'env'> {
  processes: Processes;
  settings(): TeamSettings;
  /** Where the hub listens; null while it does not. */
  address(): string | null;
}

export function createMemberPlaces({
  home,
  env,
  processes,
  settings,
  address,
}: MemberPlacesOptions): MemberPlaces {
  const isConfined = () => settings().sandbox === 'on';
  const harness = (name: string) => findHarness(settings().harnesses, name);
  const { socket: hubSocket } = homeFiles(home);
  const hubProgram = process.argv[1] ?? '';
  const sandbox = createSandbox({ processes, env, zooHome: home, hubSocket, hubProgram });
  const gateways = createGateways(join(home, 'gateways'));
  async function gateway({ id, harness: name }: Member): Promise<Confinement['gateway']> {
    const hub = address();
    if (settings().network === 'on' || hub === null) return null;
    const { host, hostname, port } = new URL(hub);
    const { hosts } = harness(name);
    const allows = (to: string, on: number): boolean =>
      (to === hostname && on === Number(port)) || hosts.some((each) => each === to || each === `${to}:${on}`);
    return { path: await gateways.open(id, allows), hub: host };
  }
  const confine = createConfineMember({ processes, sandbox, isOn: isConfined, harness, gateway });
  const worktrees = createWorktrees(confine);
  return {
    isConfined,
    harness,
    confine,
    async bridge() {
      // The program that this hub was started with: links to it are hidden in a sandbox.
      const args = [...process.execArgv, await realPath(hubProgram), 'mcp'];
      const socket = isConfined() ? HUB_SOCKET : hubSocket;
      return { command: process.execPath, args, env: { ZOO_SOCKET: socket } };
    },
    homeOf(member) {
      const outside = sandbox.homeOf(member);
      return { outside, inside: isConfined() ? (env['HOME'] ?? homedir()) : outside };
    },
    worktrees,
    worktreesFolder: join(home, 'worktrees'),
    settleWorktree: createSettleWorktree(worktrees),
    sandboxMissing: sandbox.missing,
    requireSandbox: async () => (isConfined() ? requireSandbox(sandbox) : undefined),
    async cleanUp(member) {
      await gateways.close(member);
      await rm(sandbox.homeOf(member), { recursive: true, force: true });
    },
    close: gateways.closeAll,
  };
}
