import { wrongUsage } from '../failure.ts';
import { print } from '../invocation.ts';
import type { Invocation } from '../invocation.ts';
import { renderAgent } from '../render/agent.ts';
import { renderResolved } from '../render/resolved.ts';
import { withClient } from '../with-client.ts';
import { splitPair } from '../pairs.ts';

export interface TestOptions {
  arg: string[];
  receipt?: true;
}

export async function showAgent(call: Invocation, id: string): Promise<void> {
  const agent = await withClient(call, (client) => client.call('getAgent', { id }));
  print(call, agent, () => renderAgent(agent, call.folder, call.paint));
}

export async function testAgent(call: Invocation, id: string, options: TestOptions): Promise<void> {
  const given = new Map<string, string>();
  for (const text of options.arg) {
    const [name, value] = splitPair(text, '--arg');
    if (given.has(name)) throw wrongUsage(`--arg ${name} was given twice`);
    given.set(name, value);
  }
  const { agent, resolved } = await withClient(call, async (client) => ({
    agent: await client.call('getAgent', { id }),
    resolved: await client.call('resolveAgent', { name: id, body: { arguments: Object.fromEntries(given) } }),
  }));
  print(call, resolved, () => renderResolved(agent, resolved, call.folder, options.receipt ?? false));
}
