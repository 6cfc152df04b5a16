import { randomUUID } from 'node:crypto';
import { type CallContext, callerName } from '../contract/call.ts';
import { ZooError } from '../contract/errors.ts';
import type { Run, RunEvent, RunSummary, UserPart } from '../contract/run.ts';
import { chooseModels } from './models/choose-model.ts';
import type { RunnerOptions } from './runner-options.ts';
import { executeRun, modelNames } from './runs/execute-run.ts';
import type { NumberedEvent } from './runs/live-runs.ts';
import { planResume, type ResumePlan } from './runs/plan-resume.ts';
import type { RunRequest } from './runs/run-request.ts';
import type { RunFilter } from './runs/run-store.ts';

export interface StartRun {
  agentId: string;
  input: readonly UserPart[];
  arguments: Record<string, unknown>;
  models?: readonly string[] | undefined;
  outputSchema?: Record<string, unknown> | undefined;
}

/** Executes agents. A run belongs to its caller; the operator sees all of them. */
export interface Runner {
  start(run: StartRun, context: CallContext): Promise<RunSummary>;
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
  const { store, live } = options;
  const underWay = new Map<string, Promise<void>>();

  const visible = async (id: string, context: CallContext): Promise<Run> => {
    const run = await store.get(id);
    if (context.caller.kind !== 'operator' && run.caller !== callerName(context)) {
      throw new ZooError('run_not_found', `No run '${id}'.`, { run: id });
    }
    return run;
  };
  const launch = (request: RunRequest, context: CallContext, plan: ResumePlan | null) => {
    const work = executeRun(options, request, context, plan).finally(() => underWay.delete(request.id));
    underWay.set(request.id, work);
  };

  return {
    async start(run, context) {
      const agent = await options.agent(run.agentId, context);
      // A run that cannot begin is refused here, where its caller still waits.
      const { providers, models } = await options.settings(context);
      chooseModels({ call: run.models, agent: modelNames(agent.model), config: models }, providers);
      const request = requestOf(run, context);
      const summary = await store.create(request, agent.revision);
      launch(request, context, null);
      return summary;
    },

    async *follow(id, after, context) {
      const run = await visible(id, context);
      const events = live.follow(id, after, context.signal);
      if (events) yield* events;
      else yield* storedEvents(run);
    },

    get: visible,
    list: (filter, context) =>
      store.list(context.caller.kind === 'operator' ? filter : { ...filter, caller: callerName(context) }),

    async cancel(id, context) {
      await visible(id, context);
      live.cancel(id);
      await underWay.get(id);
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
      const { request, steps, shortened } = await store.read(id);
      const plan = planResume(steps, shortened);
      launch(request, options.contextOf(request), {
        ...plan,
        results: [...plan.results, ...plan.doubtful.map(mayHaveHappened)],
      });
      return visible(id, context);
    },

    async recover() {
      for (const id of await store.unfinished()) {
        const { request, steps, shortened } = await store.read(id);
        const plan = planResume(steps, shortened);
        if (plan.doubtful.length === 0) {
          launch(request, options.contextOf(request), plan);
          continue;
        }
        const names = plan.doubtful.map(({ name }) => `'${name}'`).join(', ');
        const message = `The hub ended while ${names} ran; it may have happened. zoo runs resume ${id} goes on.`;
        await store.interrupted(id, { code: 'internal', message });
      }
    },

    async close() {
      live.stopAll();
      await Promise.allSettled(underWay.values());
      await options.spending.flush();
    },
  };
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
    headless: true,
    models: run.models ? [...run.models] : null,
    outputSchema: run.outputSchema ?? null,
    depth: context.depth,
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
