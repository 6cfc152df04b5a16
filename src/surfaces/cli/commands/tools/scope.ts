import { print } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { renderExplanation, renderScope } from '../../render/scope.ts';
import { withClient } from '../../hub-access/with-client.ts';

export async function showScope(call: Invocation, agent: string): Promise<void> {
  const report = await withClient(call, (client) => client.call('getScope', { id: agent }));
  print(call, report, () => renderScope(report, call));
}

export async function explainScope(call: Invocation, agent: string, tool: string): Promise<void> {
  const why = await withClient(call, (client) => client.call('explainScope', { id: agent, tool }));
  print(call, why, () => renderExplanation(why, call));
}
