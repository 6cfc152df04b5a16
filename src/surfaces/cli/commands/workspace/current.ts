import { wrongUsage } from '../../output/failure.ts';
import { print } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { withClient } from '../../hub-access/with-client.ts';

export async function currentAgent(
  call: Invocation,
  id: string | undefined,
  options: { clear?: true },
): Promise<void> {
  if (id !== undefined && options.clear) throw wrongUsage('an agent and --clear exclude each other');
  const changing = id !== undefined || options.clear;
  const current = await withClient(call, (client) =>
    changing ? client.call('setCurrent', { body: { agentId: id ?? null } }) : client.call('getCurrent', {}),
  );
  print(call, current, () => {
    if (!changing) return current.agentId ?? 'No current agent here. `zoo current ID` chooses one.';
    return current.agentId === null
      ? 'There is no current agent here now.'
      : `${current.agentId} is the current agent here now.`;
  });
}
