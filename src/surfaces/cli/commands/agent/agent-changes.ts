import type { ZooClient } from '../../../../contract/api.ts';
import { ZooError } from '../../../../contract/errors.ts';
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
  await withClient(call, async (client) => {
    if (await isInEditor(client, id)) throw new Failure(`agent '${id}' is not deleted`);
    const agent = await client.call('undeleteAgent', { id });
    print(call, agent, () => renderDone('Restored', agent));
  });
}

export async function cloneAgent(call: Invocation, id: string, options: CloneOptions): Promise<void> {
  const { yes, ...target } = options;
  const agent = await withClient(call, async (client) => {
    // The hub refuses a copy with the id of another agent of the editor.
    if (target.id === id && !yes && !(await isInEditor(client, id))) await confirmShadowing(call, id);
    return client.call('cloneAgent', { id, body: { ...target } });
  });
  print(call, agent, () => renderDone('Created', agent));
  if (!call.json) say(call, `Edit it: zoo agent edit ${agent.id}`);
}

async function isInEditor(client: ZooClient, id: string): Promise<boolean> {
  try {
    return (await client.call('getAgent', { id })).source === 'editor';
  } catch (error) {
    if (error instanceof ZooError && error.code === 'agent_not_found') return false;
    throw error;
  }
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
