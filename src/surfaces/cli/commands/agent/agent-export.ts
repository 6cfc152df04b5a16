import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent } from '../../../../contract/agent.ts';
import type { ZooClient } from '../../../../contract/api.ts';
import { slug } from '../../../../platform/text/slug.ts';
import { definitionOf } from '../../../../registry/definition.ts';
import { formatOf } from '../../../../registry/agent-file/agent-format.ts';
import type { AgentFormat } from '../../../../registry/agent-file/agent-format.ts';
import { Failure, wrongUsage } from '../../output/failure.ts';
import { prepareOutput, writeFailure } from '../../output/output-file.ts';
import { say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { plural } from '../../render/layout.ts';
import { withClient } from '../../hub-access/with-client.ts';

export interface ExportOptions {
  all?: true;
  format?: AgentFormat;
  output?: string;
}

const atOnce = 8;

/** Scripts and modules compute their prompt, so they have no definition to write. */
const isComputed = ({ source }: Pick<Agent, 'source'>): boolean =>
  source === 'lua' || source === 'typescript';

export async function exportAgents(
  call: Invocation,
  id: string | undefined,
  options: ExportOptions,
): Promise<void> {
  if ((id === undefined) === !options.all)
    throw wrongUsage('name one agent, or use --all', 'zoo agent export ID');
  const format =
    options.format ?? (options.output === undefined ? undefined : formatOf(options.output)) ?? 'json';
  const { output } = options;
  if (format === 'md' && options.all && output === undefined) {
    throw wrongUsage(
      'a Markdown file holds one agent',
      'write them to a folder: zoo agent export --all --format md -o agents',
    );
  }
  const agents = await withClient(call, async (client) =>
    id === undefined ? everyAgent(client) : [await client.call('getAgent', { id })],
  );
  const [computed] = agents.filter(isComputed);
  if (computed && id !== undefined) {
    throw new Failure(`agent ${id} is computed by its ${computed.source} file: copy that file instead`, {
      hints: [`\`zoo agent show ${id}\` shows where it is`],
    });
  }
  if (format === 'md' && options.all && output !== undefined) return writeFolder(call, agents, output);
  const text = await render(agents, format, options.all ?? false);
  if (output === undefined || output === '-') return call.terminal.out.verbatim(text);
  await writeText(output, `${id ?? 'agents'}.${format}`, text);
  return say(call, `Wrote ${plural(agents.length, 'agent')} to ${output}`);
}

async function everyAgent(client: ZooClient): Promise<Agent[]> {
  const { agents } = await client.call('listAgents', {});
  const whole: Agent[] = [];
  for (let start = 0; start < agents.length; start += atOnce) {
    const some = agents.slice(start, start + atOnce).filter((agent) => agent.trusted && !isComputed(agent));
    whole.push(...(await Promise.all(some.map(({ id }) => client.call('getAgent', { id })))));
  }
  return whole;
}

async function render(agents: readonly Agent[], format: AgentFormat, all: boolean): Promise<string> {
  if (format === 'toml') {
    const { renderToml } = await import('../../agent-file/toml.ts');
    return agents.map((agent) => renderToml(agent.id, definitionOf(agent))).join('\n');
  }
  if (format === 'md') return (await Promise.all(agents.map(renderOne))).join('\n');
  const plain = agents.map((agent) => ({ id: agent.id, ...definitionOf(agent) }));
  return `${JSON.stringify(all ? { agents: plain } : plain[0], null, 2)}\n`;
}

/** The id is written only where it cannot be derived from the name. */
async function renderOne(agent: Agent): Promise<string> {
  const { renderMarkdown } = await import('../../agent-file/markdown.ts');
  return renderMarkdown(definitionOf(agent), slug(agent.name, '') === agent.id ? {} : { id: agent.id });
}

async function writeFolder(call: Invocation, agents: readonly Agent[], folder: string): Promise<void> {
  for (const agent of agents) {
    const name = `${agent.id}.md`;
    await writeText(join(folder, name), name, await renderOne(agent));
  }
  if (agents.length === 0) throw new Failure('no agents to export');
  say(call, `Wrote ${plural(agents.length, 'agent')} to ${folder}`);
}

async function writeText(file: string, example: string, text: string): Promise<void> {
  const { path } = prepareOutput(file, example);
  await writeFile(path, text).catch((error: unknown) => {
    throw writeFailure(file, error);
  });
}
