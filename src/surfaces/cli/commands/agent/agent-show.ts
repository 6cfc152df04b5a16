import { print } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { renderAgent } from '../../render/agent.ts';
import { withClient } from '../../hub-access/with-client.ts';

export async function showAgent(call: Invocation, id: string): Promise<void> {
  const agent = await withClient(call, (client) => client.call('getAgent', { id }));
  print(call, agent, () => renderAgent(agent, call));
}
