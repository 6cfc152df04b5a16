import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Database } from '../platform/store/database.ts';
import { type Lease, requireLeaseStatement } from '../platform/store/leases.ts';
import { asError } from '../platform/text/error-message.ts';
import type { Changes } from './state/draft.ts';
import type { Effect, TeamState } from './state/team-state.ts';
import { type Step, step, type StepAnswer, type TeamEvent } from './team.ts';
import type { TeamStore } from './team-store.ts';

/** Events that are stored in one transaction. */
const MOST_TOGETHER = 200;

/** One team in this process: events are decided one after another, stored, and only then carried out. */
export interface TeamActor {
  readonly id: string;
  state(): TeamState;
  /** Resolves once the decision is on disk. Rejects with a `ZooError` if the event is refused. */
  dispatch(event: TeamEvent): Promise<StepAnswer>;
  /** Resolves once everything that was dispatched is on disk. */
  settled(): Promise<void>;
}

export interface TeamActorOptions {
  db: Database;
  store: TeamStore;
  lease: Lease;
  now: () => number;
  carryOut(effect: Effect): void;
  /** After every stored change. */
  changed(): void;
}

interface Waiting {
  event: TeamEvent;
  resolve(answer: StepAnswer): void;
  reject(error: Error): void;
}

interface Decided {
  waiter: Waiting;
  made: Step;
}

export function createTeamActor(first: TeamState, options: TeamActorOptions): TeamActor {
  const { db, store, lease, now, carryOut, changed } = options;
  let state = first;
  const waiting: Waiting[] = [];
  let draining: Promise<void> | null = null;

  async function storeBatch(): Promise<void> {
    const taken = waiting.splice(0, MOST_TOGETHER);
    const { accepted, next } = decideAll(taken, state, now);
    if (accepted.length === 0) return;
    const changes = joinChanges(accepted.map(({ made }) => made.changes));
    try {
      // Nothing is written once the lease is lost.
      await db.write([requireLeaseStatement(lease), ...store.record(next.team, changes)]);
    } catch (error) {
      for (const { waiter } of accepted) waiter.reject(asError(error));
      return;
    }
    state = next;
    for (const { waiter, made } of accepted) {
      waiter.resolve(made.answer);
      for (const effect of made.effects) carryOut(effect);
    }
    // The prompts of the turns that start are written first.
    await setImmediate();
    changed();
  }

  async function drain(): Promise<void> {
    // Events of one turn of the event loop share a transaction.
    await Promise.resolve();
    while (waiting.length > 0) await storeBatch();
    draining = null;
  }

  return {
    id: first.team.id,
    state: () => state,
    dispatch: (event) =>
      new Promise((resolve, reject) => {
        waiting.push({ event, resolve, reject });
        draining ??= drain();
      }),
    async settled() {
      while (draining) await draining;
    },
  };
}

/** Refused events are rejected immediately. */
function decideAll(
  batch: readonly Waiting[],
  state: TeamState,
  now: () => number,
): { accepted: Decided[]; next: TeamState } {
  const accepted: Decided[] = [];
  let next = state;
  for (const waiter of batch) {
    try {
      const made = step(next, waiter.event, { now: now(), newId: randomUUID });
      next = made.state;
      accepted.push({ waiter, made });
    } catch (error) {
      waiter.reject(asError(error));
    }
  }
  return { accepted, next };
}

/** The last version of each row. */
export function joinChanges(all: readonly Changes[]): Changes {
  const last = <T extends { id: string }>(rows: readonly T[]): T[] => [
    ...new Map(rows.map((row) => [row.id, row])).values(),
  ];
  return {
    team: all.findLast(({ team }) => team !== null)?.team ?? null,
    members: last(all.flatMap(({ members }) => members)),
    messages: last(all.flatMap(({ messages }) => messages)),
    turns: last(all.flatMap(({ turns }) => turns)),
    history: all.flatMap(({ history }) => history),
  };
}
