import { wrongUsage } from '../../output/failure.ts';
import { print } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { withClient } from '../../hub-access/with-client.ts';

export async function currentAgent(
  call: Invocation,
  id: string | undefined,
  options: { clear?: true },
): Promise<void> {
  if (id !== undefined && options.clear) throw wrongUsage('give an agent or --clear, not both');
  const changing = id !== undefined || options.clear;
  const current = await withClient(call, (client) =>
    changing ? client.call('setCurrent', { body: { agentId: id ?? null } }) : client.call('getCurrent', {}),
  );
  print(call, current, () => {
    if (!changing) return current.agentId ?? 'No current agent. `zoo current ID` sets one.';
    return current.agentId === null
      ? 'Cleared the current agent.'
      : `The current agent is now ${current.agentId}.`;
  });
}
