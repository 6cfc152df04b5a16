import { randomUUID } from 'node:crypto';
import { ZooError } from '../contract/errors.ts';
import type { Database } from '../platform/store/database.ts';
import { createLeases, insertLease, type Lease } from '../platform/store/leases.ts';
import { messageOf } from '../platform/text/error-message.ts';
import type { HarnessHost, Harness, PermissionRequest } from './harness.ts';
import { renderGuidance, renderPrompt } from './prompt.ts';
import { failedOutcome, runTurn, type TurnLimits } from './running/run-turn.ts';
import { createMemberSessions } from './running/sessions.ts';
import { createSlots } from './running/slots.ts';
import {
  type Effect,
  type Member,
  type MemberSpec,
  NOTHING_SPENT,
  type Team,
  type TeamLimits,
  type TeamState,
} from './state/team-state.ts';
import { nextDeadline, readyMembers } from './state/turns.ts';
import { createTeamActor, type TeamActor } from './team-actor.ts';
import type { TeamStore } from './team-store.ts';

const KIND = 'team';
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
const LONGEST_TIMER_MS = 2 ** 30;

export interface NewTeam {
  name: string;
  workspace: string;
  limits: TeamLimits;
  /** The root first; others are below the member that they name, or the root. */
  members: readonly (MemberSpec & { parent?: string | undefined })[];
}

export interface TeamsOptions {
  db: Database;
  store: TeamStore;
  /** The same after a restart of the same hub, which then gets its teams back at once. */
  owner: string;
  now: () => Date;
  host: HarnessHost;
  harness(name: string): Harness;
  slots(): number;
  turnLimits(): TurnLimits;
  idleSessionMs: number;
  /** The address of `/mcp/team`; null while the hub does not listen. */
  address(): string | null;
  /** What the member's agent definition says; empty without one. */
  persona(member: Member, team: Team): Promise<string>;
  permit(member: Member, team: Team, request: PermissionRequest, signal: AbortSignal): Promise<boolean>;
  log(message: string, error: unknown): void;
}

/** All teams that this hub works on. */
export interface Teams {
  start(team: NewTeam): Promise<Team>;
  /** Null for a team that this process does not work on. */
  actor(id: string): TeamActor | null;
  /** Takes over what the last hub left, once turns can run. */
  recover(): Promise<void>;
  /** Looks for members that can start a turn. */
  schedule(): void;
  running(): number;
  close(): Promise<void>;
}

export function createTeams(options: TeamsOptions): Teams {
  const { db, store, owner, log } = options;
  const leases = createLeases(db, () => options.now().getTime());
  const actors = new Map<string, { actor: TeamActor; lease: Lease }>();
  const turns = new Map<string, { stop: AbortController; done: Promise<void> }>();
  const slots = createSlots(options.slots);
  const sessions = createMemberSessions({
    host: options.host,
    harness: options.harness,
    idleMs: options.idleSessionMs,
  });
  let closing = false;
  let timer: NodeJS.Timeout | undefined;

  const quietly = (work: Promise<unknown>, what: string): void =>
    void work.catch((error: unknown) => {
      if (!closing) log(what, error);
    });

  function carryOut(actor: () => TeamActor, effect: Effect): void {
    if (effect.type === 'run-turn') {
      const stop = new AbortController();
      const done = perform(actor(), effect.member, effect.turn, stop.signal).finally(() => {
        turns.delete(effect.turn);
        schedule();
      });
      turns.set(effect.turn, { stop, done });
      quietly(done, 'a turn could not be recorded');
    } else if (effect.type === 'cancel-turn') {
      turns.get(effect.turn)?.stop.abort(new Error('the member was stopped'));
    } else {
      quietly(
        Promise.all([sessions.end(effect.member), store.dropToken(effect.member)]),
        'a session could not be ended',
      );
    }
  }

  async function perform(
    actor: TeamActor,
    memberId: string,
    turnId: string,
    stop: AbortSignal,
  ): Promise<void> {
    const { harness = '' } = actor.state().members.get(memberId) ?? {};
    try {
      const outcome = await attempt(actor, memberId, turnId, stop).catch((error: unknown) =>
        failedOutcome(messageOf(error)),
      );
      // A turn that ends with the hub is retried by the next one.
      if (closing) return;
      // A process that failed in a turn may be in any state.
      if (outcome.kind !== 'ok') await sessions.end(memberId);
      await actor.dispatch({ type: 'end-turn', turn: turnId, outcome });
    } finally {
      slots.free(harness);
    }
  }

  async function attempt(actor: TeamActor, memberId: string, turnId: string, stop: AbortSignal) {
    const { team, members } = actor.state();
    const member = members.get(memberId);
    const url = options.address();
    if (!member || url === null) throw new Error('the hub does not listen');
    const session = await sessions.get(memberId, member.harness, async () => ({
      folder: member.folder,
      system: [await options.persona(member, team), renderGuidance(actor.state(), member)]
        .filter((part) => part !== '')
        .join('\n\n'),
      session: member.session,
      mcp: { name: 'team', url, token: await store.mintToken(team.id, memberId) },
      readOnly: member.role === 'reviewer',
      permit: (request, signal) => options.permit(member, team, request, signal),
    }));
    if (session.id !== member.session) {
      await actor.dispatch({ type: 'session', member: memberId, session: session.id });
    }
    const prompt = await promptOf(actor.state(), turnId);
    await actor.dispatch({ type: 'prompt', turn: turnId, prompt });
    stop.throwIfAborted();
    return runTurn(session, prompt, options.turnLimits(), stop);
  }

  async function promptOf(state: TeamState, turnId: string): Promise<string> {
    const turn = state.turns.get(turnId);
    if (!turn) throw new Error('the turn is over');
    const messages = [...state.messages.values()].filter(
      ({ turn: held, via }) => held === turnId && via === 'prompt',
    );
    const isRetry = turn.failures + turn.interruptions > 0;
    return renderPrompt(state, turn, messages, isRetry ? await store.sentIn(state.team.id, turnId) : []);
  }

  /** One member of each team in turn, so that a large team does not keep a small one waiting. */
  function schedule(): void {
    if (closing || options.address() === null) return;
    const queues = [...actors.values()].map(({ actor }) => ({ actor, ready: readyMembers(actor.state()) }));
    for (let some = true; some;) {
      some = false;
      for (const { actor, ready } of queues) {
        const next = ready.shift();
        const member = next === undefined ? undefined : actor.state().members.get(next);
        if (!member) continue;
        some = true;
        if (starting.has(member.id)) continue;
        if (!slots.take(member.harness)) return;
        starting.add(member.id);
        quietly(begin(actor, member), 'a turn could not be started');
      }
    }
    setTimer();
  }

  const starting = new Set<string>();
  async function begin(actor: TeamActor, { id, harness }: Member): Promise<void> {
    let started: boolean | undefined = false;
    try {
      ({ started } = await actor.dispatch({ type: 'start-turn', member: id }));
    } finally {
      starting.delete(id);
      if (!started) slots.free(harness);
    }
  }

  function setTimer(): void {
    clearTimeout(timer);
    const due = [...actors.values()].flatMap(({ actor }) => nextDeadline(actor.state()) ?? []);
    if (closing || due.length === 0) return;
    const wait = Math.max(0, Math.min(...due) - options.now().getTime());
    timer = setTimeout(tick, Math.min(wait, LONGEST_TIMER_MS)).unref();
  }
  function tick(): void {
    for (const { actor } of actors.values()) {
      if ((nextDeadline(actor.state()) ?? Infinity) <= options.now().getTime()) {
        quietly(actor.dispatch({ type: 'tick' }), 'a deadline could not be recorded');
      }
    }
    setTimer();
  }

  function adopt(state: TeamState, lease: Lease): TeamActor {
    const actor: TeamActor = createTeamActor(state, {
      db,
      store,
      lease,
      now: () => options.now().getTime(),
      carryOut: (effect) => carryOut(() => actor, effect),
      changed: schedule,
    });
    actors.set(actor.id, { actor, lease });
    return actor;
  }

  async function renew(): Promise<void> {
    for (const [id, held] of actors) {
      const renewed = await leases.renew(held.lease, LEASE_MS);
      if (!renewed && !closing) {
        actors.delete(id);
        log('a team was taken over by another hub', new Error(id));
      }
    }
  }
  const renewing = setInterval(() => quietly(renew(), 'leases of teams could not be kept'), RENEW_MS).unref();

  return {
    async start({ members, ...about }) {
      const id = randomUUID();
      const at = options.now().getTime();
      const team: Team = {
        id,
        ...about,
        state: 'running',
        spent: NOTHING_SPENT,
        nextSeq: 1,
        createdAt: at,
      };
      const lease: Lease = { kind: KIND, id, owner, fence: 1, expiresAt: at + LEASE_MS };
      await db.transaction(async (tx) => {
        await insertLease(tx, lease);
        await store.create(tx, team);
      });
      const actor = adopt({ team, members: new Map(), messages: new Map(), turns: new Map() }, lease);
      await addMembers(actor, members);
      return actor.state().team;
    },
    actor: (id) => actors.get(id)?.actor ?? null,
    async recover() {
      for (const id of await store.active()) {
        if (actors.has(id)) continue;
        const lease = await leases.acquire(KIND, id, owner, LEASE_MS);
        if (!lease) continue;
        const actor = adopt(await store.load(id), lease);
        for (const turn of actor.state().turns.values()) {
          if (turn.state !== 'running') continue;
          const outcome = failedOutcome('the hub ended during the turn', 'interrupted');
          await actor.dispatch({ type: 'end-turn', turn: turn.id, outcome });
        }
      }
      schedule();
    },
    schedule,
    running: () => turns.size,
    async close() {
      closing = true;
      clearInterval(renewing);
      clearTimeout(timer);
      for (const { stop } of turns.values()) stop.abort(new Error('the hub is stopping'));
      await Promise.allSettled([...turns.values()].map(({ done }) => done));
      await sessions.close();
      for (const { actor, lease } of actors.values()) {
        await actor.settled();
        await leases.release(lease);
      }
    },
  };
}

async function addMembers(actor: TeamActor, members: NewTeam['members']): Promise<void> {
  const ids = new Map<string, string>();
  const [first] = members;
  for (const { parent, ...spec } of members) {
    const above = spec.name === first?.name ? null : (parent ?? first?.name ?? '');
    const parentId = above === null ? null : ids.get(above);
    if (parentId === undefined) {
      throw new ZooError(
        'invalid_arguments',
        `Member '${spec.name}' is below '${above}', which is not in the team.`,
      );
    }
    const { id = '' } = await actor.dispatch({ type: 'add', parent: parentId, spec });
    ids.set(spec.name, id);
  }
}
