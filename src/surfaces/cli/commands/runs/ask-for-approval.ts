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

/** Asks the person at the terminal. A question that was answered elsewhere in the meantime is settled. */
export async function askForApproval(
  call: Invocation,
  client: ZooClient,
  { name, arguments: args, questionId }: Extract<RunEvent, { type: 'approval-requested' }>,
): Promise<void> {
  const answer = await decide(call, name, args);
  try {
    await client.call('answerQuestion', { id: questionId, body: { answer } });
  } catch (error) {
    if (!(error instanceof ZooError) || error.code !== 'conflict') throw error;
    say(call, error.message);
  }
}

async function decide(call: Invocation, name: string, args: unknown): Promise<Record<string, unknown>> {
  const { asker } = call.terminal;
  const decision = await asker?.choose(`Call ${name} with ${JSON.stringify(args)}?`, CHOICES);
  if (decision === 'edit') {
    const text = await asker?.text('Arguments as JSON', { placeholder: JSON.stringify(args) });
    const edited = parseObject(text ?? '');
    if (edited) return { decision: 'once', arguments: edited };
    say(call, 'That is not a JSON object; the call is denied.');
    return { decision: 'deny' };
  }
  if (decision === 'once' || decision === 'chat' || decision === 'always') return { decision };
  const reason = await asker?.text('Reason for denying (passed on to the model)');
  return { decision: 'deny', ...(reason ? { reason } : {}) };
}

export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
