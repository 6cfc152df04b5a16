import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { renderDone } from '../../render/done.ts';
import { withClient } from '../../hub-access/with-client.ts';

export interface CloneOptions {
  id?: string;
  name?: string;
}

export async function removeAgent(call: Invocation, id: string): Promise<void> {
  await withClient(call, (client) => client.call('deleteAgent', { id }));
  print(call, { deleted: id }, () => `Deleted ${id}`);
  if (!call.json) say(call, `Undo: zoo agent undelete ${id}`);
}

export async function undeleteAgent(call: Invocation, id: string): Promise<void> {
  const agent = await withClient(call, (client) => client.call('undeleteAgent', { id }));
  print(call, agent, () => renderDone('Brought back', agent));
}

export async function cloneAgent(call: Invocation, id: string, target: CloneOptions): Promise<void> {
  const agent = await withClient(call, (client) => client.call('cloneAgent', { id, body: { ...target } }));
  print(call, agent, () => renderDone('Created', agent));
  if (!call.json) say(call, `Edit it: zoo agent edit ${agent.id}`);
}
