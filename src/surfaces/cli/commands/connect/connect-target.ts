import type { McpClient, Place, Scope } from '../../clients/client.ts';
import { fileFor, serverName } from '../../clients/connections.ts';
import { clients } from '../../clients/index.ts';
import { placeOf } from '../../clients/own-launch.ts';
import { wrongUsage } from '../../output/failure.ts';
import type { Invocation } from '../../invocation.ts';

/** The entry to write, and where. */
export interface Target {
  client: McpClient;
  scope: Scope;
  file: string;
  name: string;
  agent: string | undefined;
  place: Place;
}

export const clientIds: readonly string[] = clients.map(({ id }) => id);

export async function findTarget(
  call: Invocation,
  id: string,
  scope: Scope,
  agent: string | undefined,
): Promise<Target> {
  const client = clients.find((one) => one.id === id);
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
