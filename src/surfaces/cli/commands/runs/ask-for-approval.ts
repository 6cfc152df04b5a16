import type { ZooClient } from '../../../../contract/api.ts';
import { ZooError } from '../../../../contract/errors.ts';
import type { RunEvent } from '../../../../contract/run.ts';
import type { Invocation } from '../../invocation.ts';
import { say } from '../../invocation.ts';

const CHOICES = [
  { value: 'once', hint: 'allow this call' },
  { value: 'chat', hint: 'allow this tool for the rest of the chat' },
  { value: 'always', hint: 'always allow this tool for this agent' },
  { value: 'edit', hint: 'change the arguments, then allow this call' },
  { value: 'deny', hint: 'do not call it, and say why' },
];

type ApprovalRequest = Extract<RunEvent, { type: 'approval-requested' }>;

/**
 * Asks the person at the terminal; false if they cancelled instead of answering. The question closes when `settled`
 * fires, whose reason is printed.
 */
export async function askForApproval(
  call: Invocation,
  client: ZooClient,
  request: ApprovalRequest,
  settled: AbortSignal,
): Promise<boolean> {
  const { questionId } = request;
  const answer = settled.aborted ? null : await decide(call, request, settled);
  if (settled.aborted) {
    say(call, String(settled.reason));
    return true;
  }
  if (!answer) return false;
  try {
    await client.call('answerQuestion', { id: questionId, body: { answer } });
  } catch (error) {
    if (!(error instanceof ZooError) || error.code !== 'conflict') throw error;
    say(call, error.message);
  }
  return true;
}

/** Null if the person cancelled. */
async function decide(
  call: Invocation,
  { name, arguments: args }: ApprovalRequest,
  signal: AbortSignal,
): Promise<Record<string, unknown> | null> {
  const { asker } = call.terminal;
  const decision = await asker?.choose(`Call ${name} with ${JSON.stringify(args)}?`, CHOICES, signal);
  if (decision === 'edit') {
    const text = await asker?.text('Arguments as JSON', {
      initial: JSON.stringify(args),
      refuse: (given) => (parseObject(given) ? undefined : 'This is not a JSON object.'),
      signal,
    });
    const edited = parseObject(text ?? '');
    return edited && { decision: 'once', arguments: edited };
  }
  if (decision === 'once' || decision === 'chat' || decision === 'always') return { decision };
  if (decision !== 'deny') return null;
  const reason = (await asker?.text('Reason for denying (passed on to the model)', { signal })) ?? null;
  return reason === null ? null : { decision, ...(reason === '' ? {} : { reason }) };
}

export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
