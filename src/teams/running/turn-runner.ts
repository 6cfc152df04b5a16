import { messageOf } from '../../platform/text/error-message.ts';
import type { Harness, HarnessHost, PermissionRequest } from '../harness.ts';
import { renderGuidance, renderPrompt } from '../prompt.ts';
import type { Effect, Member, Team, TeamState } from '../state/team-state.ts';
import type { TurnOutcome } from '../state/turns.ts';
import type { TeamActor } from '../team-actor.ts';
import type { TeamStore } from '../team-store.ts';
import { failedOutcome, runTurn, type TurnLimits } from './run-turn.ts';
import { createMemberSessions } from './sessions.ts';

export interface TurnRunnerOptions {
  store: TeamStore;
  host: HarnessHost;
  harness(name: string): Harness;
  turnLimits(): TurnLimits;
  idleSessionMs: number;
  /** The address of `/mcp/team`; null while the hub does not listen. */
  address(): string | null;
  /** What the member's agent definition says; empty without one. */
  persona(member: Member, team: Team): Promise<string>;
  permit(member: Member, team: Team, request: PermissionRequest, signal: AbortSignal): Promise<boolean>;
  log(message: string, error: unknown): void;
}

/** Carries out what the state machine decided: runs and cancels turns, ends sessions. */
export interface TurnRunner {
  carryOut(actor: TeamActor, effect: Effect): void;
  /** Ends the turns and sessions of a team that this hub no longer works on. Changes nothing in the store. */
  abandon(actor: TeamActor): Promise<void>;
  running(): number;
  close(): Promise<void>;
}

/** `ended` is called with the harness of each turn that is over. */
export function createTurnRunner(options: TurnRunnerOptions, ended: (harness: string) => void): TurnRunner {
  const { store, log } = options;
  const turns = new Map<string, { stop: AbortController; done: Promise<void> }>();
  const sessions = createMemberSessions({
    host: options.host,
    harness: options.harness,
    idleMs: options.idleSessionMs,
  });
  let closing = false;
  const quietly = (work: Promise<unknown>, what: string): void =>
    void work.catch((error: unknown) => {
      if (!closing) log(what, error);
    });

  async function perform(
    actor: TeamActor,
    memberId: string,
    turnId: string,
    stop: AbortSignal,
  ): Promise<void> {
    const outcome = await attempt(actor, memberId, turnId, stop).catch((error: unknown) =>
      failedOutcome(messageOf(error)),
    );
    sessions.rest(memberId);
    // A turn that ends with the hub is retried by the next one.
    if (closing) return;
    // A process that failed in a turn may be in any state.
    if (outcome.kind !== 'ok') await sessions.end(memberId);
    await actor.dispatch({ type: 'end-turn', turn: turnId, outcome });
  }

  async function attempt(
    actor: TeamActor,
    memberId: string,
    turnId: string,
    stop: AbortSignal,
  ): Promise<TurnOutcome> {
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
    const prompt = await promptOf(store, actor.state(), turnId);
    await actor.dispatch({ type: 'prompt', turn: turnId, prompt });
    stop.throwIfAborted();
    return runTurn(session, prompt, options.turnLimits(), stop);
  }

  return {
    carryOut(actor, effect) {
      if (effect.type === 'run-turn') {
        const stop = new AbortController();
        const { harness = '' } = actor.state().members.get(effect.member) ?? {};
        const done = perform(actor, effect.member, effect.turn, stop.signal).finally(() => {
          turns.delete(effect.turn);
          ended(harness);
        });
        turns.set(effect.turn, { stop, done });
        quietly(done, 'a turn could not be recorded');
      } else if (effect.type === 'cancel-turn') {
        turns.get(effect.turn)?.stop.abort(new Error('the member was stopped'));
      } else {
        const work = Promise.all([sessions.end(effect.member), store.dropToken(effect.member)]);
        quietly(work, 'a session could not be ended');
      }
    },
    async abandon(actor) {
      const state = actor.state();
      const live = [...state.turns.keys()].flatMap((id) => turns.get(id) ?? []);
      for (const { stop } of live) stop.abort(new Error('the hub no longer runs the team'));
      const ends = [...state.members.keys()].map((id) => sessions.end(id));
      await Promise.allSettled([...live.map(({ done }) => done), ...ends]);
    },
    running: () => turns.size,
    async close() {
      closing = true;
      for (const { stop } of turns.values()) stop.abort(new Error('the hub is stopping'));
      await Promise.allSettled([...turns.values()].map(({ done }) => done));
      await sessions.close();
    },
  };
}

async function promptOf(store: TeamStore, state: TeamState, turnId: string): Promise<string> {
  const turn = state.turns.get(turnId);
  if (!turn) throw new Error('the turn is over');
  const messages = [...state.messages.values()].filter(
    ({ turn: held, via }) => held === turnId && via === 'prompt',
  );
  const isRetry = turn.failures + turn.interruptions > 0;
  return renderPrompt(state, turn, messages, isRetry ? await store.sentIn(state.team.id, turnId) : []);
}
