import { closeEach } from '../platform/processes/resources.ts';
import type { Lease, Leases } from '../platform/store/leases.ts';
import { isTeamOver } from './state/team-state.ts';
import type { TeamActor } from './team-actor.ts';

const KIND = 'team';
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;

export interface HeldTeamsOptions {
  leases: Leases;
  owner: string;
  now: () => number;
  load(id: string, lease: Lease): Promise<TeamActor>;
  /** Called with a team that was taken over, before anybody uses it. */
  resumed(actor: TeamActor): Promise<void>;
  /** Ends the turns and sessions of a team that was lost. */
  abandon(actor: TeamActor): Promise<void>;
  log(message: string, error: unknown): void;
}

/** The teams that this hub has leases on, which it renews. */
export interface HeldTeams {
  /** Those that were not lost. */
  list(): TeamActor[];
  actor(id: string): TeamActor | null;
  /** A lease for a team that is created now. */
  newLease(id: string): Lease;
  hold(actor: TeamActor, lease: Lease): void;
  /** Null while another hub has it. */
  takeOver(id: string): Promise<TeamActor | null>;
  /** Takes these over, and from then on also teams whose leases expire. */
  recover(ids: readonly string[]): Promise<void>;
  /** Renews no lease any more, and releases them all once `ended` has been called. */
  close(ended: () => Promise<void>): Promise<void>;
}

interface HeldTeam {
  actor: TeamActor;
  lease: Lease;
  /** Set when the lease was lost; resolves when no member works any more. */
  left?: Promise<void>;
}

export function createHeldTeams(options: HeldTeamsOptions): HeldTeams {
  const { leases, owner, log } = options;
  const teams = new Map<string, HeldTeam>();
  const acquiring = new Map<string, Promise<TeamActor | null>>();
  let isRecovering = false;

  /** False for a team that another hub took over, or a restore took away. Its members must not go on working. */
  async function keep(id: string): Promise<boolean> {
    const held = teams.get(id);
    if (!held) return false;
    if (await leases.renew(held.lease, LEASE_MS)) return true;
    held.left ??= options.abandon(held.actor);
    await held.left;
    if (teams.get(id) !== held) return false;
    teams.delete(id);
    log('a team was taken over by another hub, or restored from a backup', new Error(id));
    return false;
  }
  async function renewOne(held: HeldTeam): Promise<void> {
    const { id, state, settled } = held.actor;
    if (!(await keep(id)) || !isTeamOver(state()) || teams.get(id) !== held) return;
    await settled();
    teams.delete(id);
    await leases.release(held.lease);
  }
  async function renew(): Promise<void> {
    // At the same time: a member that is slow to stop must not let the leases of other teams expire.
    await Promise.all([...teams.values()].map(renewOne));
    // Of a hub that crashed and did not come back under the same name.
    if (isRecovering) await resume((await leases.expired(KIND)).map(({ id }) => id));
  }
  async function acquire(id: string): Promise<TeamActor | null> {
    if (await keep(id)) return teams.get(id)?.actor ?? null;
    const lease = await leases.acquire(KIND, id, owner, LEASE_MS);
    if (!lease) return null;
    try {
      const actor = await options.load(id, lease);
      teams.set(id, { actor, lease });
      await options.resumed(actor);
      return actor;
    } catch (error) {
      // Whoever asks for the team next tries again.
      teams.delete(id);
      await leases.release(lease);
      throw error;
    }
  }
  function takeOver(id: string): Promise<TeamActor | null> {
    const running = acquiring.get(id) ?? acquire(id).finally(() => acquiring.delete(id));
    acquiring.set(id, running);
    return running;
  }
  async function resume(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      await takeOver(id).catch((error: unknown) => log(`team '${id}' could not be resumed`, error));
    }
  }
  const renewing = setInterval(() => {
    renew().catch((error: unknown) => log('leases of teams could not be kept', error));
  }, RENEW_MS).unref();

  return {
    list: () => [...teams.values()].flatMap(({ actor, left }) => (left ? [] : [actor])),
    actor: (id) => teams.get(id)?.actor ?? null,
    newLease: (id) => ({ kind: KIND, id, owner, fence: 1, expiresAt: options.now() + LEASE_MS }),
    hold: (actor, lease) => void teams.set(actor.id, { actor, lease }),
    takeOver,
    recover(ids) {
      isRecovering = true;
      return resume(ids);
    },
    async close(ended) {
      isRecovering = false;
      clearInterval(renewing);
      const release = async ({ actor, lease }: HeldTeam): Promise<void> => {
        await actor.settled();
        await leases.release(lease);
      };
      await closeEach([ended, ...[...teams.values()].map((held) => () => release(held))]);
    },
  };
}
