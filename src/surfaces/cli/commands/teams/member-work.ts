import { withClient } from '../../hub-access/with-client.ts';
import { type Invocation, print, say } from '../../invocation.ts';

export async function showDiff(call: Invocation, id: string, member: string): Promise<void> {
  const answer = await withClient(call, (client) => client.call('getMemberDiff', { id, member }));
  print(call, answer, () => answer.diff.trimEnd());
  if (call.json) return;
  if (answer.files.length === 0) say(call, `${member} has changed nothing.`);
  if (answer.isShortened) say(call, 'The diff is shortened.');
}

export async function settleWork(
  call: Invocation,
  id: string,
  member: string,
  operation: 'mergeMember' | 'discardMember',
): Promise<void> {
  const answer = await withClient(call, (client) => client.call(operation, { id, member }));
  const what = operation === 'mergeMember' ? 'merged' : 'discarded';
  print(call, answer, () => `The work of ${answer.name} is ${what}.`);
}
