import { randomUUID } from 'node:crypto';
import { ZooError } from '../contract/errors.ts';
import { closeEach } from '../platform/processes/resources.ts';
import type { Database } from '../platform/store/database.ts';
import { createLeases, insertLeaseStatement, type Lease } from '../platform/store/leases.ts';
import { failedOutcome } from './running/run-turn.ts';
import { createScheduler } from './running/scheduler.ts';
import type { SlotLimits } from './running/slots.ts';
import { createTurnRunner, type TurnRunnerOptions } from './running/turn-runner.ts';
import type { Changes } from './state/draft.ts';
import {
  type Effect,
  type MemberSpec,
  NOTHING_SPENT,
  type StepEnv,
  type Team,
  type TeamLimits,
  type TeamState,
} from './state/team-state.ts';
import { step } from './team.ts';
import { createTeamActor, joinChanges, type TeamActor } from './team-actor.ts';

const KIND = 'team';
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;

export interface NewTeam {
  name: string;
  workspace: string;
  startedBy: string | null;
  limits: TeamLimits;
  /** The root first; others are below the member that they name, or the root. */
  members: readonly (MemberSpec & { parent?: string | undefined })[];
}

export interface TeamsOptions extends TurnRunnerOptions {
  db: Database;
  /** The same after a restart of the same hub, which then gets its teams back at once. */
  owner: string;
  now: () => Date;
  slots(): SlotLimits;
}

/** All teams that this hub works on. */
export interface Teams {
  start(team: NewTeam): Promise<Team>;
  /** Null for a team that this process does not work on. */
  actor(id: string): TeamActor | null;
  /** Works on a paused team again, such as one that was restored from a backup. Null while another hub has it. */
  takeOver(id: string): Promise<TeamActor | null>;
  /** Takes over what the last hub left, once turns can run; from then on, also teams whose leases expire. */
  recover(): Promise<void>;
  running(): number;
  close(): Promise<void>;
}

interface HeldTeam {
  actor: TeamActor;
  lease: Lease;
  /** Set when the lease was lost; resolves when no member works any more. */
  left?: Promise<void>;
}

export function createTeams(options: TeamsOptions): Teams {
  const { db, store, owner, log } = options;
  const now = () => options.now().getTime();
  const leases = createLeases(db, now);
  const actors = new Map<string, HeldTeam>();
  let isRecovering = false;
  const scheduler = createScheduler({
    teams: () => [...actors.values()].flatMap(({ actor, left }) => (left ? [] : [actor])),
    slots: options.slots,
    isReady: () => options.address() !== null,
    warm: (actor, member) => turns.warm(actor, member),
    now,
    log,
  });
  const turns = createTurnRunner(options, scheduler.ended);

  function adopt(state: TeamState, lease: Lease): TeamActor {
    const carryOut = (effect: Effect): void => turns.carryOut(actor, effect);
    const actor: TeamActor = createTeamActor(state, {
      db,
      store,
      lease,
      now,
      carryOut,
      changed: scheduler.schedule,
    });
    actors.set(actor.id, { actor, lease });
    return actor;
  }
  /** False for a team that another hub took over, or a restore took away. Its members must not go on working. */
  async function keep(id: string): Promise<boolean> {
    const held = actors.get(id);
    if (!held) return false;
    if (await leases.renew(held.lease, LEASE_MS)) return true;
    held.left ??= turns.abandon(held.actor);
    await held.left;
    if (actors.get(id) !== held) return false;
    actors.delete(id);
    log('a team was taken over by another hub, or restored from a backup', new Error(id));
    return false;
  }
  async function renewOne(id: string, { actor, lease }: HeldTeam): Promise<void> {
    if (!(await keep(id)) || !isTeamOver(actor.state()) || actors.get(id)?.actor !== actor) return;
    await actor.settled();
    actors.delete(id);
    await leases.release(lease);
  }
  async function renew(): Promise<void> {
    // At the same time: a member that is slow to stop must not let the leases of other teams expire.
    await Promise.all([...actors].map(([id, held]) => renewOne(id, held)));
    // Of a hub that crashed and did not come back under the same name.
    if (isRecovering) await resume((await leases.expired(KIND)).map(({ id }) => id));
  }
  async function acquire(id: string): Promise<TeamActor | null> {
    if (await keep(id)) return actors.get(id)?.actor ?? null;
    const lease = await leases.acquire(KIND, id, owner, LEASE_MS);
    if (!lease) return null;
    try {
      const actor = adopt(await store.load(id), lease);
      await interruptTurns(actor);
      return actor;
    } catch (error) {
      // Whoever asks for the team next tries again.
      actors.delete(id);
      await leases.release(lease);
      throw error;
    }
  }
  const acquiring = new Map<string, Promise<TeamActor | null>>();
  function takeOver(id: string): Promise<TeamActor | null> {
    const running = acquiring.get(id) ?? acquire(id).finally(() => acquiring.delete(id));
    acquiring.set(id, running);
    return running;
  }
  async function resume(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      await takeOver(id).catch((error: unknown) => log(`team '${id}' could not be resumed`, error));
    }
    if (ids.length > 0) scheduler.schedule();
  }
  const renewing = setInterval(() => {
    renew().catch((error: unknown) => log('leases of teams could not be kept', error));
  }, RENEW_MS).unref();

  return {
    async start(wanted) {
      const { state, lease } = await storeNew(wanted, options, now());
      adopt(state, lease);
      scheduler.schedule();
      return state.team;
    },
    actor: (id) => actors.get(id)?.actor ?? null,
    takeOver,
    async recover() {
      isRecovering = true;
      await resume(await store.active());
    },
    running: turns.running,
    async close() {
      isRecovering = false;
      clearInterval(renewing);
      scheduler.close();
      const release = async ({ actor, lease }: HeldTeam): Promise<void> => {
        await actor.settled();
        await leases.release(lease);
      };
      await closeEach([turns.close, ...[...actors.values()].map((held) => () => release(held))]);
    },
  };
}

async function storeNew(
  { members, ...about }: NewTeam,
  { db, store, owner }: Pick<TeamsOptions, 'db' | 'store' | 'owner'>,
  at: number,
): Promise<{ state: TeamState; lease: Lease }> {
  const id = randomUUID();
  const team: Team = { id, ...about, state: 'running', spent: NOTHING_SPENT, nextSeq: 1, createdAt: at };
  const lease: Lease = { kind: KIND, id, owner, fence: 1, expiresAt: at + LEASE_MS };
  // A team with a member that is refused is not started at all.
  const { state, changes } = addMembers(team, members, { now: at, newId: randomUUID });
  await db.write([insertLeaseStatement(lease), ...store.create(team), ...store.record(state.team, changes)]);
  return { state, lease };
}

const isTeamOver = ({ team, turns }: TeamState): boolean =>
  team.state !== 'running' && team.state !== 'paused' && turns.size === 0;

/** Turns that the last hub did not finish are retried. */
async function interruptTurns(actor: TeamActor): Promise<void> {
  for (const turn of actor.state().turns.values()) {
    if (turn.state !== 'running') continue;
    const outcome = failedOutcome('the hub ended during the turn', 'interrupted');
    await actor.dispatch({ type: 'end-turn', turn: turn.id, outcome });
  }
}

function addMembers(
  team: Team,
  members: NewTeam['members'],
  env: StepEnv,
): { state: TeamState; changes: Changes } {
  const ids = new Map<string, string>();
  const [first] = members;
  let state: TeamState = { team, members: new Map(), messages: new Map(), turns: new Map() };
  const all: Changes[] = [];
  for (const member of members) {
    const { parent, ...spec } = member;
    const above = member === first ? (parent ?? null) : (parent ?? first?.name ?? '');
    const parentId = above === null ? null : ids.get(above);
    if (parentId === undefined) {
      throw new ZooError(
        'invalid_arguments',
        member === first
          ? `Member '${spec.name}' is the first and therefore the root; it has no parent.`
          : `Member '${spec.name}' is below '${above}', which is not listed before it.`,
      );
    }
    const made = step(state, { type: 'add', parent: parentId, spec }, env);
    state = made.state;
    all.push(made.changes);
    ids.set(spec.name, made.answer.id ?? '');
  }
  return { state, changes: joinChanges(all) };
}
