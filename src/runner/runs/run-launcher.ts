import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { RunState, RunSummary } from '../../contract/run.ts';
import type { Transaction } from '../../platform/store/database.ts';
import type { RunnerOptions } from '../runner-options.ts';
import { type ClaimedRun, executeRun } from './execute-run.ts';
import { planResume, type ResumePlan } from './plan-resume.ts';
import type { RunRequest } from './run-request.ts';

/** Starts work on runs in this process, each under a lease. */
export interface RunLauncher {
  /** Stores a new run and starts it. */
  begin(
    request: RunRequest,
    revision: number,
    caller: CallContext,
    also?: (tx: Transaction) => Promise<void>,
  ): Promise<RunSummary>;
  /** Goes on with a run whose process is gone, or marks it as interrupted. */
  takeOver(id: string): Promise<void>;
  /** Goes on with an interrupted run; what may have happened is told to the model. */
  resume(id: string): Promise<void>;
  /** Resolves once the run is no longer worked on here. */
  settled(id: string): Promise<void>;
  isUnderWay(id: string): boolean;
  allSettled(): Promise<void>;
}

export function createRunLauncher(options: RunnerOptions): RunLauncher {
  const { store, ownership, events } = options;
  const underWay = new Map<string, Promise<void>>();

  const launch = (run: ClaimedRun): void => {
    const { id } = run.request;
    underWay.set(
      id,
      executeRun(options, run).finally(() => underWay.delete(id)),
    );
  };
  const claim = async (id: string) => {
    const lease = await ownership.claim(id);
    if (lease) return lease;
    throw new ZooError('conflict', `Run '${id}' is worked on by another process.`, { run: id });
  };

  return {
    begin: (request, revision, caller, also) =>
      ownership.claimNew(request.id, async (lease) => {
        const summary = await store.create(request, revision, lease, also);
        launch({ request, lease, events: events.begin(request.id), caller, plan: null });
        return summary;
      }),

    async takeOver(id) {
      const lease = await ownership.claim(id);
      if (!lease) return;
      const { request, steps, shortened, summary } = await store.read(id);
      if (isOver(summary.state)) return ownership.release(lease, true);
      const plan = planResume(steps, shortened);
      if (plan.doubtful.length === 0) {
        const log = await events.reopen(id);
        launch({ request, lease, events: log, caller: options.contextOf(request), plan });
        return;
      }
      const names = plan.doubtful.map(({ name }) => `'${name}'`).join(', ');
      const message = `The hub exited during ${names}, which may have taken effect. Resume with: zoo runs resume ${id}`;
      await store.interrupted(lease, { code: 'internal', message });
      await ownership.release(lease, false);
    },

    async resume(id) {
      const lease = await claim(id);
      const { request, steps, shortened } = await store.read(id);
      const plan = planResume(steps, shortened);
      const results = [...plan.results, ...plan.doubtful.map(mayHaveHappened)];
      const log = await events.reopen(id);
      launch({
        request,
        lease,
        events: log,
        caller: options.contextOf(request),
        plan: { ...plan, results },
      });
    },

    settled: async (id) => underWay.get(id),
    isUnderWay: (id) => underWay.has(id),
    async allSettled() {
      await Promise.allSettled(underWay.values());
    },
  };
}

/** Whether the state changes no more by itself. */
export function isOver(state: RunState): boolean {
  return state !== 'queued' && state !== 'running' && state !== 'waiting';
}

function mayHaveHappened(call: ResumePlan['doubtful'][number]): ResumePlan['results'][number] {
  const text =
    'INTERRUPTED: The program exited during this call, which may have taken effect. Check before you repeat it.';
  return {
    type: 'tool-result',
    id: call.id,
    name: call.name,
    content: [{ type: 'text', text }],
    isError: true,
  };
}
