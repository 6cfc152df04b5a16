import { type CallContext, callerKey } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { JobSummary } from '../../contract/operations/jobs.ts';
import type { ToolResult } from '../../contract/tool.ts';
import { type FitSchema, resultOf } from '../publishing/call-result.ts';
import type { CallStore, StoredCall } from '../publishing/call-store.ts';
import { isDone, type RunProgress } from '../publishing/run-progress.ts';
import { watchRun } from '../publishing/watch-run.ts';
import type { Runner } from '../runner.ts';

export interface Job {
  call: Pick<StoredCall, 'runId' | 'tool'>;
  progress: RunProgress;
}

/** Published calls whose result can be fetched later. Callers reach only their own jobs, the operator all. */
export interface Jobs {
  /** Waits until it has ended, but no longer than this. */
  status(jobId: string, waitMs: number, context: CallContext): Promise<Job>;
  /** Null while it is not done. Throws what went wrong. */
  result(jobId: string, context: CallContext): Promise<ToolResult | null>;
  cancel(jobId: string, context: CallContext): Promise<Job>;
  /** Of all callers, newest first. */
  list(limit: number): Promise<JobSummary[]>;
}

export interface JobsOptions {
  runner: Pick<Runner, 'followEvents' | 'get' | 'cancel'>;
  store: CallStore;
  fit: FitSchema;
}

export function createJobs({ runner, store, fit }: JobsOptions): Jobs {
  const visible = async (jobId: string, { caller }: CallContext): Promise<StoredCall> => {
    const call = await store.find(jobId);
    if (call && (caller.kind === 'operator' || call.caller === callerKey(caller))) return call;
    throw new ZooError(
      'job_not_found',
      `Job '${jobId}' not found. Use the jobId that a published tool returned.`,
      {
        jobId,
      },
    );
  };
  const status = async (jobId: string, waitMs: number, context: CallContext) => {
    const call = await visible(jobId, context);
    return { call, progress: await watchRun(runner, jobId, context, { forMs: waitMs }) };
  };

  return {
    status,
    async result(jobId, context) {
      // A run that has ended answers immediately.
      const { call, progress } = await status(jobId, 50, context);
      return isDone(progress) ? resultOf(call, progress, fit) : null;
    },
    async cancel(jobId, context) {
      await visible(jobId, context);
      await runner.cancel(jobId, { ...context, caller: { kind: 'operator' } });
      return status(jobId, 1_000, context);
    },
    async list(limit) {
      const calls = await store.list(limit);
      return calls.map(({ tool, run: { id, agentId, state, caller, usage, createdAt, endedAt } }) => ({
        id,
        kind: 'call',
        name: tool,
        agentId,
        state,
        caller,
        tokens: usage.inputTokens + usage.outputTokens,
        usd: usage.usd,
        createdAt,
        endedAt,
      }));
    },
  };
}
