import type { UpstreamStatus } from '../../../../contract/operations/upstreams.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { renderUpstreams } from '../../render/upstreams.ts';
import { withClient } from '../../hub-access/with-client.ts';

export interface StatusOptions {
  check?: true;
}

/** Every upstream server, and what to do about those that failed. */
export async function showStatus(
  call: Invocation,
  name: string | undefined,
  { check }: StatusOptions,
): Promise<void> {
  const upstreams = await withClient(call, async (client): Promise<UpstreamStatus[]> => {
    if (check || name !== undefined) {
      const body = name === undefined ? {} : { name };
      return (await client.call('checkUpstreams', { body })).upstreams;
    }
    return (await client.call('listUpstreams', {})).upstreams;
  });
  print(call, { upstreams }, () => renderUpstreams(upstreams, call));
  if (call.json || upstreams.length > 0) return;
  say(call, 'No upstream MCP servers. Add one: `zoo tools add NAME -- COMMAND`, or `zoo tools import`.');
}

export async function restartServer(call: Invocation, name: string): Promise<void> {
  const { upstreams } = await withClient(call, (client) => client.call('restartUpstream', { name }));
  print(call, { upstreams }, () => renderUpstreams(upstreams, call));
}
