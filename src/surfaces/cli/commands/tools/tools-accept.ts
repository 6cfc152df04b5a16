import type { ChangedTool } from '../../../../contract/operations/upstreams.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { withClient } from '../../hub-access/with-client.ts';

/** Shows what a server has changed, and accepts it. */
export async function acceptTools(
  call: Invocation,
  name: string,
  tool: string | undefined,
  { show }: { show?: true },
): Promise<void> {
  if (show) {
    const { changes } = await withClient(call, (client) => client.call('listToolChanges', { name }));
    const meant = changes.filter((each) => tool === undefined || each.tool === tool);
    print(call, { changes: meant }, () => render(meant));
    return;
  }
  const body = tool === undefined ? {} : { tool };
  const { accepted } = await withClient(call, (client) => client.call('acceptTools', { name, body }));
  print(call, { accepted }, () => render(accepted));
  if (call.json) return;
  const names = accepted.map((each) => each.tool).join(', ');
  say(call, accepted.length > 0 ? `Accepted: ${names}` : `No changed tools of '${name}'.`);
}

const render = (changes: readonly ChangedTool[]): string =>
  changes
    .flatMap(({ tool, before, after }) => [
      tool,
      ...(before === null ? ['  new'] : [`  - ${before}`]),
      `  + ${after}`,
    ])
    .join('\n');
