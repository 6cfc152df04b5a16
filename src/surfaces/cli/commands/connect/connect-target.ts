import type { Scope } from '../../../../platform/clients/client.ts';
import type { EntryTarget } from '../../../../platform/clients/client-entry.ts';
import { fileFor, serverName } from '../../../../platform/clients/connections.ts';
import { acpEditors } from '../../../../platform/clients/acp-editors.ts';
import { clients } from '../../../../platform/clients/index.ts';
import { placeOf } from '../../../../platform/clients/own-launch.ts';
import { wrongUsage } from '../../output/failure.ts';
import type { Invocation } from '../../invocation.ts';

export const clientIds: readonly string[] = clients.map(({ id }) => id);

export async function findTarget(
  call: Invocation,
  id: string,
  { scope = 'user', agent, acp }: { scope?: Scope; agent?: string; acp?: true },
): Promise<EntryTarget> {
  const client = (acp ? acpEditors : clients).find((one) => one.id === id);
  if (!client && acp) {
    throw wrongUsage(
      `'${id}' cannot be connected over ACP`,
      `one of ${acpEditors.map((one) => one.id).join(', ')}; docs/acp.md has the settings of other editors`,
    );
  }
  if (!client) {
    const { nearest } = await import('../../../../contract/nearest.ts');
    const suggestion = nearest(id, clientIds);
    throw wrongUsage(
      `unknown client '${id}'`,
      ...(suggestion === null ? [] : [`did you mean ${suggestion}?`]),
      `one of ${clientIds.join(', ')}`,
    );
  }
  const place = placeOf(call);
  const file = fileFor(client, scope, place);
  if (file === null) {
    throw wrongUsage(
      `${client.title} has no ${scope} config, only a user config`,
      `zoo connect ${id} --scope user`,
    );
  }
  return { client, scope, file, name: serverName(agent), agent, place };
}
