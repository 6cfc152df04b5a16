import { confirm } from '../../input/asker.ts';
import { Failure } from '../../output/failure.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { renderDone } from '../../render/done.ts';
import { withClient } from '../../hub-access/with-client.ts';

export interface CloneOptions {
  id?: string;
  name?: string;
  yes?: true;
}

export async function removeAgent(call: Invocation, id: string): Promise<void> {
  await withClient(call, (client) => client.call('deleteAgent', { id }));
  print(call, { deleted: id }, () => `Deleted ${id}`);
  if (!call.json) say(call, `Undo: zoo agent undelete ${id}`);
}

export async function undeleteAgent(call: Invocation, id: string): Promise<void> {
  const agent = await withClient(call, (client) => client.call('undeleteAgent', { id }));
  print(call, agent, () => renderDone('Restored', agent));
}

export async function cloneAgent(call: Invocation, id: string, options: CloneOptions): Promise<void> {
  const { yes, ...target } = options;
  const agent = await withClient(call, async (client) => {
    if (target.id === id && !yes) await confirmShadowing(call, id);
    return client.call('cloneAgent', { id, body: { ...target } });
  });
  print(call, agent, () => renderDone('Created', agent));
  if (!call.json) say(call, `Edit it: zoo agent edit ${agent.id}`);
}

/** Editor agents are not bound to a workspace, and win over files. */
export const everywhere = (id: string): string =>
  `The copy replaces the agent '${id}' of this workspace, and of every other workspace that has one.`;

async function confirmShadowing({ terminal: { asker } }: Invocation, id: string): Promise<void> {
  if (asker && (await confirm(asker, `${everywhere(id)} Copy it?`))) return;
  throw new Failure(asker ? 'not copied' : `not copied: ${everywhere(id)}`, {
    hints: [`choose another id: zoo agent clone ${id} --id ${id}-copy`, 'or confirm with --yes'],
  });
}
