import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Agent } from '../../../../contract/agent.ts';
import type { ZooClient } from '../../../../contract/api.ts';
import { ZooError } from '../../../../contract/errors.ts';
import { reasonOf } from '../../../../platform/text/system-error.ts';
import { slug } from '../../../../platform/text/slug.ts';
import { formatOf } from '../../../../registry/agent-file/agent-format.ts';
import { type ReadAgent, readAgents } from '../../../../registry/agent-file/read-agents.ts';
import { withClient } from '../../hub-access/with-client.ts';
import { errorView, type Invocation, say } from '../../invocation.ts';
import { Failure } from '../../output/failure.ts';
import { renderDiagnostics } from '../../render/diagnostics.ts';

/** Where an agent in the editor was read from: publishing the same file again replaces it. */
const FROM = 'publishedFrom';

/** Serves one agent over stdio, through the hub. Standard output belongs to the protocol. */
export async function publishAgent(call: Invocation, named: string, { as }: { as?: string }): Promise<void> {
  const id = await withClient(call, async (client) => {
    const agent = isPath(named)
      ? await agentOfFile(call, client, await requireAgentFile(call, named), as)
      : await client.call('getAgent', { id: named });
    refuseOtherMode(agent);
    return agent.id;
  });
  await call.surfaces.runBridge({ env: call.env, folder: call.folder, agent: id });
}

/** Ids have neither slashes nor the ending of a file. */
const isPath = (named: string): boolean => /[/\\]|\.\w+$/.test(named);

async function requireAgentFile(call: Invocation, named: string): Promise<string> {
  const file = resolve(call.folder, named);
  const found = await stat(file).catch((error: unknown) => {
    throw new Failure(`cannot read ${named}: ${reasonOf(error)}`, {
      hints: ['AGENT is the id of an agent (`zoo agent list`), or a TOML, Markdown or JSON file'],
    });
  });
  if (!found.isFile() || formatOf(named) === undefined)
    throw new Failure(`${named} is not an agent file: its name must end in .toml, .md or .json`);
  return file;
}

function refuseOtherMode({ id, mode, publishedTools }: Agent): void {
  if (mode !== 'tools') {
    throw new Failure(`agent '${id}' is in ${mode} mode and publishes no tools`, {
      hints: ['set its mode to "tools"', `zoo mcp --agent ${id} serves it as it is`],
    });
  }
  if (publishedTools.length === 0) throw new Failure(`agent '${id}' has no published tools`);
}

async function agentOfFile(
  call: Invocation,
  client: ZooClient,
  file: string,
  as: string | undefined,
): Promise<Agent> {
  const { agents } = await client.call('listAgents', {});
  const served = agents.filter(({ origin, mode }) => origin?.path === file && mode === 'tools');
  const [own] = served;
  if (own && served.length === 1) return client.call('getAgent', { id: own.id });
  const format = formatOf(file) ?? 'json';
  const { agents: found, diagnostics } = await readAgents(file, await readFile(file, 'utf8'), format);
  say(call, renderDiagnostics(diagnostics, errorView(call)));
  const publishers = found.filter(({ input }) => input.mode === 'tools');
  const [first] = publishers;
  if (!first) throw new Failure(`${file} has no agent in tools mode`);
  if (publishers.length > 1 && as === undefined) {
    const ids = publishers.map(({ id, input }) => id ?? input.name).join(', ');
    throw new Failure(`${file} has several agents in tools mode: ${ids}`, {
      hints: ['put them into the workspace and publish one by its id'],
    });
  }
  return store(client, first, file, as);
}

/** Puts the agent into the editor. An existing one is replaced only if it came from the same file. */
async function store(
  client: ZooClient,
  read: ReadAgent,
  file: string,
  as: string | undefined,
): Promise<Agent> {
  const id = as ?? read.id ?? slug(read.input.name, 'agent');
  const body = { ...read.input, metadata: { ...read.input.metadata, [FROM]: file } };
  const existing = await client.call('getAgent', { id }).catch((error: unknown) => {
    if (error instanceof ZooError && error.code === 'agent_not_found') return null;
    throw error;
  });
  if (!existing) return client.call('createAgent', { body: { ...body, id } });
  if (existing.metadata[FROM] === file) return client.call('replaceAgent', { id, body });
  throw new Failure(`there is another agent with the id '${id}'`, {
    hints: [`zoo publish ${id} serves that one`, 'choose another id for the file: --as ID'],
  });
}
