import { withClient } from '../../hub-access/with-client.ts';
import { type Invocation, print } from '../../invocation.ts';

export async function pauseRuns(call: Invocation): Promise<void> {
  const state = await withClient(call, (client) => client.call('pauseRuns', {}));
  print(call, state, () => 'All runs are paused. `zoo resume` continues them.');
}

export async function unpauseRuns(call: Invocation): Promise<void> {
  const state = await withClient(call, (client) => client.call('unpauseRuns', {}));
  print(call, state, () => 'Runs continue.');
}
