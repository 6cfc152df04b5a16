import * as z from 'zod';
import type { CallContext } from '../../contract/call.ts';
import type { Tool, ToolResult } from '../../contract/tool.ts';
import type { Job, Jobs } from '../../runner/jobs/jobs.ts';
import { describeProgress, isDone } from '../../runner/publishing/run-progress.ts';
import { confirmation, defineTool } from '../../tools/define-tool.ts';

const MOST_WAITING_MS = 30_000;

const JobArguments = z.object({ jobId: z.string() });
const jobId = { type: 'string', description: 'The jobId that the tool returned.' };
const input = { properties: { jobId }, required: ['jobId'] };
const answers = {
  message: { type: 'string', description: 'What to do next.' },
  jobId,
  tool: { type: 'string' },
  state: { type: 'string', description: 'queued, running, completed, failed, cancelled or interrupted.' },
};

export interface JobToolsOptions {
  jobs: Jobs;
  /** No call takes longer than a client is willing to wait. */
  inlineMs(context: CallContext): Promise<number>;
}

/** `zoo_job_*`: listed wherever published tools are. They reach the caller's own jobs only. */
export function createJobTools({ jobs, inlineMs }: JobToolsOptions): readonly Tool[] {
  return [
    defineTool(
      {
        ...input,
        name: 'zoo_job_status',
        title: 'Job status',
        description:
          'Waits up to 30 seconds for a job that a tool has returned, and reports whether it is done. Call it again while it is running.',
        answers,
        effect: 'reads',
      },
      JobArguments,
      async ({ jobId: id }, { context }) => {
        const waitMs = Math.min(MOST_WAITING_MS, await inlineMs(context));
        return describe(await jobs.status(id, waitMs, context));
      },
    ),
    withoutShape(
      defineTool(
        {
          ...input,
          name: 'zoo_job_result',
          title: 'Job result',
          description: 'Gets the result of a job that is done: exactly what the tool would have returned.',
          answers: {},
          effect: 'reads',
        },
        JobArguments,
        async ({ jobId: id }, { context }) =>
          (await jobs.result(id, context)) ?? notYet(await jobs.status(id, 0, context)),
      ),
    ),
    defineTool(
      {
        ...input,
        name: 'zoo_job_cancel',
        title: 'Cancel job',
        description: 'Stops a job. What it has done so far is not undone.',
        answers,
        effect: 'sets',
      },
      JobArguments,
      async ({ jobId: id }, { context }) => describe(await jobs.cancel(id, context)),
    ),
  ];
}

/** The shape of its result depends on the tool that the job calls. */
function withoutShape(tool: Tool): Tool {
  const { outputSchema: _, ...descriptor } = tool.descriptor;
  return { ...tool, descriptor };
}

function describe(job: Job): ToolResult {
  const { runId, tool } = job.call;
  return confirmation(nextStep(job), { jobId: runId, tool, state: job.progress.state });
}

function notYet(job: Job): ToolResult {
  return { content: [{ type: 'text', text: nextStep(job) }] };
}

function nextStep({ call: { runId, tool }, progress }: Job): string {
  const argument = JSON.stringify({ jobId: runId });
  if (!isDone(progress)) {
    return `'${tool}' is still working: ${describeProgress(progress)}. Call zoo_job_status with ${argument} again to wait for it.`;
  }
  if (progress.state === 'completed') {
    return `'${tool}' is done. Call zoo_job_result with ${argument} to get its result.`;
  }
  const why = progress.error ? `: ${progress.error.message}` : '.';
  return `'${tool}' ended without a result (${progress.state})${why} zoo_job_result has the details.`;
}
