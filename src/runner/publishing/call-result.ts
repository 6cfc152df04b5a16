import { ZooError } from '../../contract/errors.ts';
import type { ToolResult } from '../../contract/tool.ts';
import type { StoredCall } from './call-store.ts';
import type { RunProgress } from './run-progress.ts';
import { withoutFence } from '../../platform/text/json-fence.ts';

/** Checks a value against a schema and names every problem; throws `invalid_arguments`. */
export type FitSchema = (
  name: string,
  schema: Record<string, unknown>,
  value: Record<string, unknown>,
) => Promise<Record<string, unknown>>;

/** The result of an ended run for its caller. Throws if it has none. */
export async function resultOf(call: StoredCall, ended: RunProgress, fit: FitSchema): Promise<ToolResult> {
  const { runId, contextId, tool } = call;
  const { usage, text } = ended;
  if (ended.state !== 'completed') throw failureOf(call, ended);
  const structured = call.output === null ? null : await structuredOf(tool, call.output, text, fit);
  const note = noteOn(ended);
  return {
    content: [{ type: 'text', text }, ...(note === null ? [] : [{ type: 'text' as const, text: note }])],
    ...(structured ? { structuredContent: structured } : {}),
    _meta: { runId, contextId, usage, cost: { usd: usage.usd } },
  };
}

/** For the calling model, which would take the text for the whole answer. */
function noteOn({ reason, text }: RunProgress): string | null {
  if (reason === 'max_output_tokens') return '[This answer was cut off at max_output_tokens.]';
  return text.trim() === '' ? '[The agent ended without an answer.]' : null;
}

function failureOf({ runId, contextId, tool }: StoredCall, ended: RunProgress): ZooError {
  const { state, error, text, usage } = ended;
  const details = { runId, contextId, usage, state };
  const soFar = text === '' ? '' : `\n\nIts last answer before that:\n${text}`;
  if (state === 'cancelled') return new ZooError('tool_error', `'${tool}' was cancelled.${soFar}`, details);
  if (state === 'interrupted') {
    const message = `'${tool}' was interrupted when the hub ended, in the middle of a call that may have happened. It was not repeated. Check before calling it again. The user can continue it with: zoo runs resume ${runId}`;
    return new ZooError('tool_error', message + soFar, details);
  }
  const { code = 'internal', message = 'The run failed.' } = error ?? {};
  return new ZooError(code, message + soFar, details);
}

async function structuredOf(
  tool: string,
  schema: Record<string, unknown>,
  text: string,
  fit: FitSchema,
): Promise<Record<string, unknown>> {
  const value = parseObject(text);
  const shown = text.length > 2_000 ? `${text.slice(0, 2_000)}…` : text;
  if (!value) throw new ZooError('agent_error', `'${tool}' did not answer with a JSON object:\n${shown}`);
  try {
    return await fit(tool, schema, value);
  } catch (error) {
    if (!(error instanceof ZooError)) throw error;
    throw new ZooError(
      'agent_error',
      `The answer does not fit its output schema: ${error.message}\n${shown}`,
    );
  }
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(withoutFence(text));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
