import { describeAbsentServer } from '../../../../tools/upstream/absent-server.ts';
import type { UpstreamStatus } from '../../../../contract/operations/upstreams.ts';
import type { ToolDescriptor } from '../../../../contract/tool.ts';
import { Failure } from '../../output/failure.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { renderTool, renderTools } from '../../render/tools.ts';
import { withClient } from '../../hub-access/with-client.ts';

export interface ToolListOptions {
  agent?: string;
  search?: string;
}

export async function listTools(call: Invocation, { agent, search }: ToolListOptions): Promise<void> {
  const tools = await withClient(call, (client) =>
    client.call('listTools', { tokens: true, ...(agent === undefined ? {} : { agent }) }),
  ).then(async (all) => (search === undefined ? all.tools : find(all.tools, search)));
  print(call, { tools }, () => renderTools(tools, call));
  if (call.json || tools.length > 0) return;
  if (search !== undefined) say(call, `No tool matches '${search}'.`);
  else say(call, agent === undefined ? 'No tools.' : `${agent} has no tools in its scope.`);
}

export async function showTool(call: Invocation, name: string, options: { agent?: string }): Promise<void> {
  const tool = await withClient(call, async (client) => {
    const { tools } = await client.call('listTools', { tokens: true, ...options });
    const found = pickTool(tools, name);
    if (found) return found;
    const { upstreams } = await client.call('listUpstreams', {});
    throw absentServer(upstreams, name) ?? (await noSuchTool(tools, name, options.agent));
  });
  print(call, tool, () => renderTool(tool, call));
}

/** As the catalogue does: a wire name wins over a display name. */
export function pickTool(tools: readonly ToolDescriptor[], name: string): ToolDescriptor | undefined {
  return tools.find((each) => each.name === name) ?? tools.find((each) => each.displayName === name);
}

/** A tool of a server that does not run: the server is the reason, not the name. */
export function absentServer(
  upstreams: readonly Pick<UpstreamStatus, 'name' | 'state' | 'error' | 'tools'>[],
  name: string,
): Failure | null {
  const server = upstreams.find(
    (each) => name.startsWith(`${each.name}.`) || name.startsWith(`${each.name}__`),
  );
  const why = server && describeAbsentServer(server);
  if (!why) return null;
  return new Failure(`tool '${name}' is not available: ${why}`, {
    code: 'tool_not_found',
    hints: ['`zoo tools status` shows all servers'],
  });
}

async function noSuchTool(
  tools: readonly ToolDescriptor[],
  name: string,
  agent: string | undefined,
): Promise<Failure> {
  const { nearest } = await import('../../../../contract/nearest.ts');
  const near = nearest(
    name,
    tools.flatMap((tool) => [tool.displayName, tool.name]),
  );
  const where = agent === undefined ? '' : ` in the scope of ${agent}`;
  const meant = near === null ? '' : `; did you mean '${near}'?`;
  const hint =
    agent === undefined
      ? '`zoo tools list` lists the tools'
      : `\`zoo scope explain ${agent} ${name}\` explains why`;
  return new Failure(`tool '${name}' not found${where}${meant}`, { code: 'tool_not_found', hints: [hint] });
}

async function find(tools: readonly ToolDescriptor[], words: string): Promise<readonly ToolDescriptor[]> {
  const { searchTools } = await import('../../../../tools/catalogue/tool-search.ts');
  return searchTools(tools).find(words);
}
