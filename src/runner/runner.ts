import { randomUUID } from 'node:crypto';
import type { Agent } from '../contract/agent.ts';
import { type CallContext, callerKey, callerName, refuseExhausted, tokenKey } from '../contract/call.ts';
import { ZooError } from '../contract/errors.ts';
import type { Run, RunHistory, RunSummary, UserPart } from '../contract/run.ts';
import { closeEach } from '../platform/processes/resources.ts';
import type { Statement } from '../platform/store/database.ts';
import { chooseModels } from './models/choose-model.ts';
import type { Effort } from './models/model.ts';
import type { RunnerOptions } from './runner-options.ts';
import { cancelRun } from './runs/cancel-run.ts';
import { tokenRevoked } from './runs/create-run.ts';
import { isHandover } from './runs/live-runs.ts';
import { executeRun } from './runs/execute-run.ts';
import { readHistory } from './runs/messages-before.ts';
import { modelNames, type ReadyRun } from './runs/prepare-run.ts';
import type { NumberedEvent } from './runs/run-event-log.ts';
import { createRunLauncher, isOver, notInterrupted, type RunLauncher } from './runs/run-launcher.ts';
import { storedEvents } from './runs/stored-events.ts';
import { runNotFound } from './runs/run-rows.ts';
import type { AgentVersion, RunPermissions, RunRequest, RunRequestLimits } from './runs/run-request.ts';
import type { RunFilter } from './runs/run-store.ts';

export interface StartRun {
  /** For a caller that needs to know it in advance. */
  id?: string | undefined;
  agentId: string;
  input: readonly UserPart[];
  arguments: Record<string, unknown>;
  models?: readonly string[] | undefined;
  outputSchema?: Record<string, unknown> | undefined;
  /** Whether a person can be asked for approval; nobody can unless it says so. */
  interactive?: boolean | undefined;
  /** Below what the config allows. */
  limits?: RunRequestLimits | undefined;
  /** Replaces the agent's own tool permissions. */
  permissions?: RunPermissions | undefined;
  temperature?: number | undefined;
  effort?: Effort | undefined;
  version?: AgentVersion | undefined;
  chat?: RunRequest['chat'];
  /** Stored with the run, or not at all. */
  also?: readonly Statement[] | undefined;
}

export type RunToCheck = Pick<StartRun, 'agentId' | 'models' | 'version'> &
  Partial<Pick<StartRun, 'arguments'>>;

/** Executes agents. A run belongs to its caller; the operator sees all of them. */
export interface Runner {
  start(run: StartRun, context: CallContext): Promise<RunSummary>;
  /**
   * Events after one of them, until the run has ended; also of a run of another process, or from before a restart. A
   * run that lost its process is taken over. It ends without a `done` where the hub stops first.
   */
  follow(id: string, after: number, context: CallContext): AsyncIterable<NumberedEvent>;
  /** As `follow`, without access checks: the caller has made them. */
  followEvents(id: string, after: number, signal: AbortSignal): AsyncIterable<NumberedEvent>;
  /** Throws if a run of this agent could not start; its arguments are checked if they are given. */
  check(run: RunToCheck, context: CallContext): Promise<Agent>;
  get(id: string, context: CallContext): Promise<Run>;
  history(id: string, context: CallContext): Promise<RunHistory>;
  /** The message joins the next step. Throws `conflict` once the run is over. */
  send(id: string, parts: readonly UserPart[], context: CallContext): Promise<void>;
  erase(id: string, context: CallContext): Promise<void>;
  list(filter: RunFilter, context: CallContext): Promise<{ runs: RunSummary[]; total: number }>;
  cancel(id: string, context: CallContext): Promise<RunSummary>;
  /** Cancels everything that a revoked token has under way. */
  revoke(tokenId: string): Promise<void>;
  /** Cancels an abandoned run, unless this process is shutting down and another one will continue it. */
  abandon(id: string, context: CallContext): Promise<void>;
  /** Resumes an interrupted run; the model is told which calls may have taken effect. */
  resume(id: string, context: CallContext): Promise<RunSummary>;
  /** Resumes the runs of the last hub, or marks them as interrupted. */
  recover(): Promise<void>;
  /** This process is about to end; runs that lose their callers now are not abandoned. */
  drain(): void;
  close(): Promise<void>;
}

export function createRunner(options: RunnerOptions): Runner {
  const { store, live, ownership, events } = options;
  const launcher = createRunLauncher(options, (run) => executeRun(options, run));
  let draining = false;

  const visible = async (id: string, context: CallContext): Promise<Run> => {
    const { caller } = context;
    if (caller.kind === 'operator' || (await store.isOf(id, callerKey(caller)))) return store.get(id);
    throw runNotFound(id);
  };
  const hasEnded = async (id: string): Promise<boolean> =>
    isOver(await store.stateOf(id)) && !(await ownership.isHeldElsewhere(id));

  async function* followEvents(id: string, after: number, signal: AbortSignal) {
    let some = after > 0;
    const isEnded = !launcher.isUnderWay(id) && isOver(await store.stateOf(id));
    const stopAdopting = isEnded ? undefined : adoptLost(id, launcher, () => draining, options.log);
    try {
      for await (const event of events.follow(id, after, signal, () => hasEnded(id))) {
        some = true;
        yield event;
      }
    } finally {
      stopAdopting?.();
    }
    if (!some && !signal.aborted) yield* storedEvents(await store.get(id));
  }

  const cancel: Runner['cancel'] = async (id, context) => {
    const run = await visible(id, context);
    if (isOver(run.state) && run.state !== 'interrupted') return run;
    await cancelRun(run, options, launcher);
    return visible(id, context);
  };

  return {
    check: async (run, context) => (await makeReady(run, context, options)).agent,
    cancel,
    async abandon(id, context) {
      if (draining || isHandover(context.signal.reason)) return;
      await cancel(id, { ...context, caller: { kind: 'operator' } });
    },
    async revoke(tokenId) {
      const underWay = await store.activeOf(tokenKey({ kind: 'agent', tokenId }));
      const cancelled = underWay.map(async (id) =>
        cancelRun(await store.get(id), options, launcher, tokenRevoked()),
      );
      await Promise.all(cancelled);
    },
    drain() {
      draining = true;
    },
    async start(run, context) {
      refuseExhausted(context);
      const ready = await makeReady(run, context, options);
      return launcher.begin(requestOf(run, context), ready, context, run.also);
    },

    async *follow(id, after, context) {
      await visible(id, context);
      yield* followEvents(id, after, context.signal);
    },
    followEvents,

    get: visible,
    async history(id, context) {
      await visible(id, context);
      return readHistory(store, id);
    },
    list: (filter, context) =>
      store.list(
        context.caller.kind === 'operator' ? filter : { ...filter, callerKey: callerKey(context.caller) },
      ),

    async send(id, parts, context) {
      const { state } = await visible(id, context);
      if (await options.messages.add(id, parts)) return;
      throw new ZooError('conflict', `Run '${id}' is ${state}; it takes no more messages.`, { run: id });
    },
    async erase(id, context) {
      await visible(id, context);
      await store.erase(id);
    },

    async resume(id, context) {
      const { state } = await visible(id, context);
      if (state !== 'interrupted') throw notInterrupted(id, state);
      await launcher.resume(id);
      return visible(id, context);
    },

    recover: () => launcher.recover(),

    async close() {
      draining = true;
      live.stopAll();
      await closeEach([launcher.allSettled, ownership.close, events.close, options.spending.close]);
    },
  };
}

/** How often a follower checks whether its run lost its process. */
const ADOPT_MS = 5_000;

/** Takes over a followed run that no process works on any more: it would never end. Returns how to stop that. */
function adoptLost(
  id: string,
  launcher: RunLauncher,
  isClosing: () => boolean,
  log: RunnerOptions['log'],
): () => void {
  const adopt = (): void => {
    if (isClosing() || launcher.isUnderWay(id)) return;
    launcher.recover(id).catch((error: unknown) => log(`run ${id} could not be taken over`, error));
  };
  const timer = setInterval(adopt, ADOPT_MS).unref();
  adopt();
  return () => clearInterval(timer);
}

/** Throws for a run that cannot start, while its caller still waits. */
async function makeReady(run: RunToCheck, context: CallContext, options: RunnerOptions): Promise<ReadyRun> {
  const [agent, settings] = await Promise.all([
    options.agent(run.agentId, context, run.version),
    options.settings(context),
  ]);
  if (run.arguments) options.checkArguments(agent, run.arguments);
  const { providers, models } = settings;
  chooseModels({ call: run.models, agent: modelNames(agent.model), config: models }, providers);
  return { agent, settings };
}

function requestOf(run: StartRun, context: CallContext): RunRequest {
  return {
    id: run.id ?? randomUUID(),
    agentId: run.agentId,
    workspace: context.workspace,
    caller: callerName(context),
    identity: context.caller,
    surface: context.surface,
    input: [...run.input],
    arguments: run.arguments,
    headless: run.interactive !== true,
    models: run.models ? [...run.models] : null,
    outputSchema: run.outputSchema ?? null,
    depth: context.depth,
    ...(context.run === undefined ? {} : { parent: context.run }),
    budget: context.budget,
    ...(run.limits ? { limits: run.limits } : {}),
    ...(run.permissions ? { permissions: run.permissions } : {}),
    ...(run.temperature === undefined ? {} : { temperature: run.temperature }),
    ...(run.effort ? { effort: run.effort } : {}),
    ...(run.version ? { version: run.version } : {}),
    ...(run.chat ? { chat: run.chat } : {}),
  };
}
