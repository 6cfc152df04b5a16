import { randomUUID } from 'node:crypto';
import { type CallContext, callerName, refuseExhausted } from '../contract/call.ts';
import { ZooError } from '../contract/errors.ts';
import type { Run, RunEvent, RunState, RunSummary, UserPart } from '../contract/run.ts';
import { chooseModels } from './models/choose-model.ts';
import type { RunnerOptions } from './runner-options.ts';
import { type ClaimedRun, executeRun, modelNames } from './runs/execute-run.ts';
import type { Lease } from '../platform/store/leases.ts';
import type { NumberedEvent } from './runs/run-event-log.ts';
import { planResume, type ResumePlan } from './runs/plan-resume.ts';
import type { RunPermissions, RunRequest, RunRequestLimits } from './runs/run-request.ts';
import type { RunFilter } from './runs/run-store.ts';

export interface StartRun {
  agentId: string;
  input: readonly UserPart[];
  arguments: Record<string, unknown>;
  models?: readonly string[] | undefined;
  outputSchema?: Record<string, unknown> | undefined;
  /** Whether a person can be asked for approval; nobody can unless it says so. */
  interactive?: boolean | undefined;
  /** Below what the config allows. */
  limits?: RunRequestLimits | undefined;
  /** In place of what the agent says of its tools. */
  permissions?: RunPermissions | undefined;
}

/** Executes agents. A run belongs to its caller; the operator sees all of them. */
export interface Runner {
  start(run: StartRun, context: CallContext): Promise<RunSummary>;
  /**
   * Events after one of them, until the run has ended; also of a run of another process, or from before a restart. It
   * ends without a `done` where the hub stops first.
   */
  follow(id: string, after: number, context: CallContext): AsyncIterable<NumberedEvent>;
  get(id: string, context: CallContext): Promise<Run>;
  list(filter: RunFilter, context: CallContext): Promise<{ runs: RunSummary[]; total: number }>;
  cancel(id: string, context: CallContext): Promise<RunSummary>;
  /** Goes on with a run that was interrupted; what may have happened is told to the model. */
  resume(id: string, context: CallContext): Promise<RunSummary>;
  /** Goes on with what the last hub left, or marks it as interrupted. */
  recover(): Promise<void>;
  close(): Promise<void>;
}

export function createRunner(options: RunnerOptions): Runner {
  const { store, live, ownership, events } = options;
  const underWay = new Map<string, Promise<void>>();

  const visible = async (id: string, context: CallContext): Promise<Run> => {
    const run = await store.get(id);
    if (context.caller.kind !== 'operator' && run.caller !== callerName(context)) {
      throw new ZooError('run_not_found', `No run '${id}'.`, { run: id });
    }
    return run;
  };
  const launch = (run: ClaimedRun) => {
    const { id } = run.request;
    underWay.set(
      id,
      executeRun(options, run).finally(() => underWay.delete(id)),
    );
  };
  const claim = async (id: string): Promise<Lease> => {
    const lease = await ownership.claim(id);
    if (lease) return lease;
    throw new ZooError('conflict', `Run '${id}' is worked on by another process.`, { run: id });
  };
  const hasEnded = async (id: string): Promise<boolean> =>
    hasResult(await store.stateOf(id)) && !(await ownership.isHeldElsewhere(id));

  /** Goes on with a run whose process is gone, or marks it as interrupted. */
  const takeOver = async (id: string): Promise<void> => {
    const lease = await ownership.claim(id);
    if (!lease) return;
    const { request, steps, shortened, summary } = await store.read(id);
    if (hasResult(summary.state)) return ownership.release(lease, true);
    const plan = planResume(steps, shortened);
    if (plan.doubtful.length === 0) {
      launch({ request, lease, events: await events.reopen(id), caller: options.contextOf(request), plan });
      return;
    }
    const names = plan.doubtful.map(({ name }) => `'${name}'`).join(', ');
    const message = `The hub ended while ${names} ran; it may have happened. zoo runs resume ${id} goes on.`;
    await store.interrupted(lease, { code: 'internal', message });
    await ownership.release(lease, false);
  };

  return {
    async start(run, context) {
      refuseExhausted(context);
      const agent = await options.agent(run.agentId, context);
      // A run that cannot begin is refused here, where its caller still waits.
      const { providers, models } = await options.settings(context);
      chooseModels({ call: run.models, agent: modelNames(agent.model), config: models }, providers);
      const request = requestOf(run, context);
      const lease = await claim(request.id);
      const summary = await store.create(request, agent.revision);
      launch({ request, lease, events: events.begin(request.id), caller: context, plan: null });
      return summary;
    },

    async *follow(id, after, context) {
      const run = await visible(id, context);
      let some = false;
      for await (const event of events.follow(id, after, context.signal, () => hasEnded(id))) {
        some = true;
        yield event;
      }
      if (!some && after === 0 && hasResult(run.state)) yield* storedEvents(run);
    },

    get: visible,
    list: (filter, context) =>
      store.list(context.caller.kind === 'operator' ? filter : { ...filter, caller: callerName(context) }),

    async cancel(id, context) {
      const run = await visible(id, context);
      if (hasResult(run.state) && run.state !== 'interrupted') return run;
      if (live.cancel(id)) {
        await underWay.get(id);
        return visible(id, context);
      }
      const lease = await ownership.claim(id);
      if (!lease) {
        await store.requestCancel(id);
        return visible(id, context);
      }
      const { text, usage, steps } = run;
      await store.ended(lease, { state: 'cancelled', text, usage, steps, error: null });
      await ownership.release(lease, true);
      return visible(id, context);
    },

    async resume(id, context) {
      const run = await visible(id, context);
      if (run.state !== 'interrupted') {
        throw new ZooError(
          'conflict',
          `Run '${id}' is ${run.state}; only an interrupted run can be resumed.`,
        );
      }
      const lease = await claim(id);
      const { request, steps, shortened } = await store.read(id);
      const plan = planResume(steps, shortened);
      const results = [...plan.results, ...plan.doubtful.map(mayHaveHappened)];
      launch({
        request,
        lease,
        events: await events.reopen(id),
        caller: options.contextOf(request),
        plan: { ...plan, results },
      });
      return visible(id, context);
    },

    async recover() {
      for (const id of await store.unfinished()) if (!underWay.has(id)) await takeOver(id);
    },

    async close() {
      live.stopAll();
      await Promise.allSettled(underWay.values());
      ownership.close();
      await events.flush();
      await options.spending.flush();
    },
  };
}

/** Whether the state changes no more by itself. */
function hasResult(state: RunState): boolean {
  return state !== 'queued' && state !== 'running' && state !== 'waiting';
}

function mayHaveHappened(call: ResumePlan['doubtful'][number]): ResumePlan['results'][number] {
  const text =
    'INTERRUPTED: The program ended while this call ran. It may or may not have happened: check before repeating it.';
  return {
    type: 'tool-result',
    id: call.id,
    name: call.name,
    content: [{ type: 'text', text }],
    isError: true,
  };
}

function requestOf(run: StartRun, context: CallContext): RunRequest {
  return {
    id: randomUUID(),
    agentId: run.agentId,
    workspace: context.workspace,
    caller: callerName(context),
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
  };
}

/** What is left of the events of a run that is no longer in memory. */
function* storedEvents(run: Run): Generator<NumberedEvent> {
  const { state, text, steps, usage, error } = run;
  const events: RunEvent[] = [
    ...(text === '' ? [] : [{ type: 'text' as const, step: steps, part: 0, offset: 0, text }]),
    ...(error ? [{ type: 'error' as const, ...error }] : []),
    { type: 'done', state, text, steps, usage },
  ];
  for (const [index, event] of events.entries()) yield { seq: index + 1, event };
}
