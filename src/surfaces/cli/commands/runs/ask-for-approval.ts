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

/**
 * Asks the person at the terminal; false if they cancelled instead of answering. A question that was answered elsewhere
 * in the meantime is settled.
 */
export async function askForApproval(
  call: Invocation,
  client: ZooClient,
  { name, arguments: args, questionId }: Extract<RunEvent, { type: 'approval-requested' }>,
): Promise<boolean> {
  const answer = await decide(call, name, args);
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
  name: string,
  args: unknown,
): Promise<Record<string, unknown> | null> {
  const { asker } = call.terminal;
  const decision = await asker?.choose(`Call ${name} with ${JSON.stringify(args)}?`, CHOICES);
  if (decision === 'edit') {
    const text = await asker?.text('Arguments as JSON', {
      initial: JSON.stringify(args),
      refuse: (given) => (parseObject(given) ? undefined : 'This is not a JSON object.'),
    });
    const edited = parseObject(text ?? '');
    return edited && { decision: 'once', arguments: edited };
  }
  if (decision === 'once' || decision === 'chat' || decision === 'always') return { decision };
  if (decision !== 'deny') return null;
  const reason = (await asker?.text('Reason for denying (passed on to the model)')) ?? null;
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
