import { randomUUID } from 'node:crypto';
import { ZooError } from '../contract/errors.ts';
import type { Database } from '../platform/store/database.ts';
import { createLeases, insertLeaseStatement, type Lease } from '../platform/store/leases.ts';
import { createHeldTeams, type HeldTeams } from './held-teams.ts';
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

export function createTeams(options: TeamsOptions): Teams {
  const { db, store, owner, log } = options;
  const now = () => options.now().getTime();
  const scheduler = createScheduler({
    teams: () => held.list(),
    slots: options.slots,
    isReady: () => options.address() !== null,
    warm: (actor, member) => turns.warm(actor, member),
    now,
    log,
  });
  const turns = createTurnRunner(options, scheduler.ended);

  function createActor(state: TeamState, lease: Lease): TeamActor {
    const carryOut = (effect: Effect): void => turns.carryOut(actor, effect);
    const changed = scheduler.schedule;
    const actor: TeamActor = createTeamActor(state, { db, store, lease, now, carryOut, changed });
    return actor;
  }
  const held = createHeldTeams({
    leases: createLeases(db, now),
    owner,
    now,
    load: async (id, lease) => createActor(await store.load(id), lease),
    async resumed(actor) {
      await interruptTurns(actor);
      scheduler.schedule();
    },
    abandon: turns.abandon,
    log,
  });

  return {
    async start(wanted) {
      const { state, lease } = await storeNew(wanted, { db, store, newLease: held.newLease }, now());
      held.hold(createActor(state, lease), lease);
      scheduler.schedule();
      return state.team;
    },
    actor: held.actor,
    takeOver: held.takeOver,
    recover: async () => held.recover(await store.active()),
    running: turns.running,
    async close() {
      scheduler.close();
      await held.close(turns.close);
    },
  };
}

async function storeNew(
  { members, ...about }: NewTeam,
  { db, store, newLease }: Pick<TeamsOptions, 'db' | 'store'> & Pick<HeldTeams, 'newLease'>,
  at: number,
): Promise<{ state: TeamState; lease: Lease }> {
  const id = randomUUID();
  const team: Team = { id, ...about, state: 'running', spent: NOTHING_SPENT, nextSeq: 1, createdAt: at };
  const lease = newLease(id);
  // A team with a member that is refused is not started at all.
  const { state, changes } = addMembers(team, members, { now: at, newId: randomUUID });
  await db.write([insertLeaseStatement(lease), ...store.create(team), ...store.record(state.team, changes)]);
  return { state, lease };
}

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
