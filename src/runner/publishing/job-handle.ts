import type { ToolResult } from '../../contract/tool.ts';
import type { StoredCall } from './call-store.ts';
import { describeProgress, type RunProgress } from './run-progress.ts';

/** The result of a call that takes longer, in words that a model acts on. */
export function jobHandle(call: StoredCall, progress: RunProgress): ToolResult {
  const { runId: jobId, tool, contextId, output } = call;
  const argument = JSON.stringify({ jobId });
  const text =
    `'${tool}' is still working (${describeProgress(progress)}). Its result will not be lost. ` +
    `Call zoo_job_status with ${argument} to wait for it, then zoo_job_result with ${argument} to get the result. ` +
    `Do not call '${tool}' again for this request.`;
  return {
    content: [{ type: 'text', text }],
    // A tool with an output schema must answer in its shape; see `outputSchemaOf`.
    ...(output === null ? {} : { structuredContent: { jobId } }),
    _meta: { jobId, runId: jobId, contextId },
  };
}
