import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { RunState, RunSummary } from '../../contract/run.ts';
import type { Statement } from '../../platform/store/database.ts';
import type { Lease } from '../../platform/store/leases.ts';
import type { Questions } from '../../platform/store/questions.ts';
import { PERSON_QUESTIONS } from '../approvals/ask-person.ts';
import type { RunOutcome } from '../loop/run-parts.ts';
import type { RunnerOptions } from '../runner-options.ts';
import { tokenRevoked } from './create-run.ts';
import type { ClaimedRun } from './execute-run.ts';
import { planResume, type ResumePlan } from './plan-resume.ts';
import type { ReadyRun } from './prepare-run.ts';
import type { RunRequest } from './run-request.ts';
import type { StoredRun } from './run-store.ts';

/** Starts work on runs in this process, each under a lease. */
export interface RunLauncher {
  /** Stores a new run and starts it. */
  begin(
    request: RunRequest,
    ready: ReadyRun,
    caller: CallContext,
    also?: readonly Statement[],
  ): Promise<RunSummary>;
  /** Resumes runs whose process has died, or marks them as interrupted: all of them, or only this one. */
  recover(id?: string): Promise<void>;
  /** Resumes an interrupted run; the model is told which calls may have taken effect. */
  resume(id: string): Promise<void>;
  /** Resolves once the run is no longer worked on here. */
  settled(id: string): Promise<void>;
  isUnderWay(id: string): boolean;
  allSettled(): Promise<void>;
}

export type RunLauncherParts = Pick<
  RunnerOptions,
  'store' | 'ownership' | 'events' | 'contextOf' | 'isRevoked' | 'turnEnded' | 'log'
> & { questions: Pick<Questions, 'withdraw'> };

/** `execute` works on a run until its end, and never rejects. */
export function createRunLauncher(
  parts: RunLauncherParts,
  execute: (run: ClaimedRun) => Promise<void>,
): RunLauncher {
  const { store, ownership, events, questions, contextOf, isRevoked, turnEnded, log } = parts;
  const underWay = new Map<string, Promise<void>>();

  const launch = (run: ClaimedRun): void => {
    const { id } = run.request;
    underWay.set(
      id,
      execute(run).finally(() => underWay.delete(id)),
    );
  };
  const goOn = async (lease: Lease, request: RunRequest, plan: ResumePlan): Promise<void> =>
    launch({ request, lease, events: await events.reopen(lease.id), caller: contextOf(request), plan });

  async function takeOver(lease: Lease): Promise<void> {
    const { id } = lease;
    const run = await store.read(id);
    const { request, steps, shortened, summary } = run;
    if (isOver(summary.state)) return ownership.release(lease, true);
    if (await isRevoked(request.identity)) {
      const { code, message } = tokenRevoked();
      return endOrphan(lease, run, parts, { reason: 'token_revoked', error: { code, message } });
    }
    if (await store.isCancelRequested(id)) {
      await endOrphan(lease, run, parts, { reason: 'cancelled', error: null });
      return request.chat && turnEnded(request);
    }
    await questions.withdraw({ kind: 'run', id }, PERSON_QUESTIONS);
    const plan = planResume(steps, shortened);
    if (plan.doubtful.length === 0) return goOn(lease, request, { ...plan, usage: summary.usage });
    const names = plan.doubtful.map(({ name }) => `'${name}'`).join(', ');
    const message = `The hub exited during ${names}, which may have taken effect. Resume with: zoo runs resume ${id}`;
    await store.interrupted(lease, { code: 'internal', message });
    await ownership.release(lease, false);
  }

  return {
    begin: (request, ready, caller, also) =>
      ownership.claimNew(request.id, async (lease) => {
        const mostOfCaller =
          caller.caller.kind === 'agent' && !request.parent ? ready.settings.runsPerToken : undefined;
        const { revision } = ready.agent;
        const stored = store.create(request, { revision, lease, also, mostOfCaller });
        // It waits for its row before it has any effect.
        const isLimited = mostOfCaller !== undefined;
        const opened = events.begin(request.id);
        launch({ request, lease, events: opened, caller, plan: null, ready, stored, isLimited });
        return stored;
      }),

    async recover(only) {
      const unfinished = await store.unfinished();
      for (const id of unfinished.filter((each) => only === undefined || each === only)) {
        const lease = underWay.has(id) ? null : await ownership.claim(id);
        if (!lease) continue;
        await releaseAfterFailure(ownership, lease, () => takeOver(lease)).catch((error: unknown) =>
          log(`run ${id} could not be taken over`, error),
        );
      }
    },

    async resume(id) {
      const lease = await ownership.claim(id);
      if (!lease) throw new ZooError('conflict', `Run '${id}' is worked on by another process.`, { run: id });
      await releaseAfterFailure(ownership, lease, async () => {
        const { request, steps, shortened, summary } = await store.read(id);
        // It may have been cancelled or resumed since the caller looked.
        if (isOver(summary.state) && summary.state !== 'interrupted') throw notInterrupted(id, summary.state);
        if (await isRevoked(request.identity)) {
          throw new ZooError('conflict', `Run '${id}' cannot be resumed. ${tokenRevoked().message}`);
        }
        const plan = planResume(steps, shortened);
        const results = [...plan.results, ...plan.doubtful.map(mayHaveHappened)];
        await store.requeued(lease, request.chat?.id ?? null);
        await goOn(lease, request, { ...plan, results, usage: summary.usage });
      });
    },

    settled: async (id) => underWay.get(id),
    isUnderWay: (id) => underWay.has(id),
    async allSettled() {
      // The end of a turn may start the next one of its chat.
      while (underWay.size > 0) await Promise.allSettled(underWay.values());
    },
  };
}

/** A run that cannot be read or written stays free for the next attempt. */
export async function releaseAfterFailure(
  ownership: Pick<RunnerOptions['ownership'], 'release'>,
  lease: Lease,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    await ownership.release(lease, false);
    throw error;
  }
}

/** Cancels a run that no process works on; it must not go on. */
export async function endOrphan(
  lease: Lease,
  { text, summary: { usage, steps } }: StoredRun,
  { store, ownership, questions }: Pick<RunLauncherParts, 'store' | 'ownership' | 'questions'>,
  why: Pick<RunOutcome, 'reason' | 'error'>,
): Promise<void> {
  await questions.withdraw({ kind: 'run', id: lease.id });
  await store.ended(lease, { state: 'cancelled', text, usage, steps, ...why });
  await ownership.release(lease, true);
}

/** Whether the state is final. */
export function isOver(state: RunState): boolean {
  return state !== 'queued' && state !== 'running' && state !== 'waiting';
}

export const notInterrupted = (id: string, state: RunState): ZooError =>
  new ZooError('conflict', `Run '${id}' is ${state}; only an interrupted run can be resumed.`);

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
