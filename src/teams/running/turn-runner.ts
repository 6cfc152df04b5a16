import { messageOf } from '../../platform/text/error-message.ts';
import type { Environment } from '../../platform/home/paths.ts';
import type {
  BridgeCommand,
  Harness,
  HarnessSession,
  Permission,
  PermissionRequest,
  SessionLaunch,
} from '../harness.ts';
import { renderGuidance, renderPrompt } from '../prompt.ts';
import type { ConfineMember } from '../sandbox/confine-member.ts';
import type { Effect, Member, Team } from '../state/team-state.ts';
import { remainingBudget, type TurnOutcome } from '../state/turns.ts';
import type { TeamActor } from '../team-actor.ts';
import type { TeamStore } from '../team-store.ts';
import { TEAM_SERVER } from '../team-tool-names.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';
import { failedOutcome, runTurn, type TurnLimits } from './run-turn.ts';
import { createMemberSessions } from './sessions.ts';

export interface TurnRunnerOptions {
  store: TeamStore;
  env: Environment;
  confine: ConfineMember;
  worktrees: Worktrees;
  isConfined(): boolean;
  homeOf(member: string): SessionLaunch['home'];
  /** `zoo mcp`, for agents that do not speak MCP over HTTP. */
  bridge(): Promise<BridgeCommand>;
  /** Throws for a harness that does not exist. */
  harness(name: string): Harness;
  turnLimits(): TurnLimits;
  idleSessionMs: number;
  /** The address of `/mcp/team`; null while the hub does not listen. */
  address(): string | null;
  /** The prompt of the member's agent definition; empty without one. */
  persona(member: Member, team: Team): Promise<string>;
  /** Names of the tools that it has besides those of the team. */
  scopeOf(member: Member, team: Team): Promise<readonly string[]>;
  permit(member: Member, team: Team, request: PermissionRequest, signal: AbortSignal): Promise<Permission>;
  /** Removes the files of a member that has ended, except for its workspace. */
  cleanUp(member: string): Promise<void>;
  log(message: string, error: unknown): void;
}

/** The abort reason of turns that the next hub retries. */
export class HubStopping extends Error {}

/** Carries out what the state machine decided: runs and cancels turns, ends sessions. */
export interface TurnRunner {
  carryOut(actor: TeamActor, effect: Effect): void;
  /**
   * Opens the session of a member that is next in the queue, so that its turn starts as soon as it has a slot. Returns
   * the native id of one that is open.
   */
  warm(actor: TeamActor, member: string): string | undefined;
  /** Ends the turns and sessions of a team that this hub no longer works on. Changes nothing in the store. */
  abandon(actor: TeamActor): Promise<void>;
  running(): number;
  close(): Promise<void>;
}

/** `ended` is called with the harness of each turn that is over. */
export function createTurnRunner(options: TurnRunnerOptions, ended: (harness: string) => void): TurnRunner {
  const { store, log } = options;
  const turns = new Map<string, { stop: AbortController; done: Promise<void> }>();
  const sessions = createMemberSessions(options.idleSessionMs, log);
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
    free: () => void,
  ): Promise<void> {
    const outcome = await attempt(actor, memberId, turnId, stop).catch((error: unknown) =>
      failedOutcome(messageOf(error)),
    );
    sessions.rest(memberId);
    // A turn that ends with the hub is retried by the next one.
    if (closing) return;
    // A process that failed in a turn may be in any state.
    if (outcome.kind !== 'ok') await sessions.end(memberId);
    // The next turn in this slot is stored together with the end of this one.
    const stored = actor.dispatch({ type: 'end-turn', turn: turnId, outcome });
    free();
    await stored;
  }

  async function attempt(
    actor: TeamActor,
    memberId: string,
    turnId: string,
    stop: AbortSignal,
  ): Promise<TurnOutcome> {
    const session = await sessions.get(memberId, stop, (signal) =>
      launchSession(options, actor, memberId, signal),
    );
    // The native id of a new session is on disk before its first turn, unless the program tells it only then.
    await storeSession(actor, memberId, session);
    const prompt = await promptOf(store, actor, turnId);
    stop.throwIfAborted();
    const outcome = await runTurn(session, prompt, options.turnLimits(), stop);
    await storeSession(actor, memberId, session);
    return outcome;
  }

  return {
    carryOut(actor, effect) {
      if (effect.type === 'run-turn') {
        // Its start was stored while the hub stops; the next hub retries it.
        if (closing) return;
        const stop = new AbortController();
        const { harness = '' } = actor.state().members.get(effect.member) ?? {};
        let isFree = false;
        const free = (): void => {
          if (!isFree) ended(harness);
          isFree = true;
        };
        const done = perform(actor, effect.member, effect.turn, stop.signal, free).finally(() => {
          turns.delete(effect.turn);
          free();
        });
        turns.set(effect.turn, { stop, done });
        quietly(done, 'a turn could not be recorded');
      } else if (effect.type === 'cancel-turn') {
        turns.get(effect.turn)?.stop.abort(new Error('the member was stopped'));
      } else {
        const { member } = effect;
        const gone = sessions.end(member).then(() => options.cleanUp(member));
        const work = Promise.all([gone, store.dropToken(member)]);
        quietly(work, 'a session could not be ended');
      }
    },
    warm(actor, member) {
      if (closing) return undefined;
      return sessions.warm(member, (signal) => launchSession(options, actor, member, signal))?.id;
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
      for (const { stop } of turns.values()) stop.abort(new HubStopping('the hub is stopping'));
      await Promise.allSettled([...turns.values()].map(({ done }) => done));
      await sessions.close();
    },
  };
}

async function storeSession(actor: TeamActor, member: string, { id }: HarnessSession): Promise<void> {
  if (id === actor.state().members.get(member)?.session) return;
  await actor.dispatch({ type: 'session', member, session: id });
}

async function launchSession(
  { store, ...options }: TurnRunnerOptions,
  actor: TeamActor,
  memberId: string,
  signal: AbortSignal,
): Promise<HarnessSession> {
  const state = actor.state();
  const { team, members } = state;
  const member = members.get(memberId);
  if (!member) throw new Error('the member is gone');
  const url = options.address();
  if (url === null) throw new Error('the hub does not listen');
  const harness = options.harness(member.harness);
  const { id, name, agentId } = member;
  const [persona, scope, token, bridge] = await Promise.all([
    harness.ownsPersona ? '' : options.persona(member, team),
    options.scopeOf(member, team),
    store.mintToken(team.id, id),
    options.bridge(),
    options.worktrees.prepare(member, members.get(member.parent ?? '') ?? null),
  ]);
  const launch: SessionLaunch = {
    member: { id, name, agentId, teamId: team.id, workspace: team.workspace },
    budget: () => remainingBudget(actor.state(), id),
    folder: member.folder,
    home: options.homeOf(id),
    system: [persona, renderGuidance(state, member, scope)].filter((part) => part !== '').join('\n\n'),
    // The turn that it is opened for is counted already, unless it waits for its slot.
    isFirstTurn: member.spent.turns <= (member.turn === null ? 0 : 1),
    session: member.session,
    mcp: { name: TEAM_SERVER, url, token, bridge },
    readOnly: member.role === 'reviewer',
    signal,
    isConfined: options.isConfined(),
    permit: (request, wanted) =>
      options.permit(actor.state().members.get(id) ?? member, team, request, wanted),
  };
  return harness.open(launch, { start: options.confine(member), env: options.env });
}

/** Stored with the start of the turn; that of a retry also says what was sent before. */
async function promptOf(store: TeamStore, actor: TeamActor, turnId: string): Promise<string> {
  const state = actor.state();
  const turn = state.turns.get(turnId);
  if (!turn) throw new Error('the turn is over');
  if (turn.failures + turn.interruptions === 0 && turn.prompt !== null) return turn.prompt;
  const messages = [...state.messages.values()].filter(
    ({ turn: held, via }) => held === turnId && via === 'prompt',
  );
  const prompt = renderPrompt(state, turn, messages, await store.sentIn(state.team.id, turnId));
  await actor.dispatch({ type: 'prompt', turn: turnId, prompt });
  return prompt;
}
