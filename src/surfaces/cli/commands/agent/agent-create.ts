import type { ZooClient } from '../../../../contract/api.ts';
import type { Agent, AgentMode } from '../../../../contract/agent.ts';
import { wrongUsage } from '../../output/failure.ts';
import { readText } from '../../input/read-text.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { renderDone } from '../../render/done.ts';
import { withClient } from '../../hub-access/with-client.ts';

export interface CreateOptions {
  name?: string;
  id?: string;
  description?: string;
  systemPrompt?: string;
  systemPromptFile?: string;
  mode?: AgentMode;
  model?: string;
  tool?: string[];
  template?: string;
}

export async function createAgent(call: Invocation, options: CreateOptions): Promise<void> {
  const { name, id, template, tool, systemPromptFile, ...rest } = options;
  if (name === undefined && template === undefined) {
    throw wrongUsage(
      'an agent needs a name',
      'zoo agent create --name "Code reviewer"',
      'or begin with `--template ID`',
    );
  }
  if (systemPromptFile !== undefined && rest.systemPrompt !== undefined) {
    throw wrongUsage('--system-prompt and --system-prompt-file exclude each other');
  }
  const said = {
    ...rest,
    ...(tool === undefined ? {} : { tools: tool }),
    ...(systemPromptFile === undefined ? {} : { systemPrompt: await readText(call, systemPromptFile) }),
  };
  const target = { ...(id === undefined ? {} : { id }), ...(name === undefined ? {} : { name }) };
  const agent = await withClient(call, async (client) =>
    template === undefined
      ? client.call('createAgent', { body: { ...said, ...target, name: name ?? '' } })
      : fromTemplate(client, template, target, said),
  );
  print(call, agent, () => renderDone('Created', agent));
  if (!call.json) say(call, `Try it: zoo agent test ${agent.id}    Edit it: zoo agent edit ${agent.id}`);
}

/** The template gives what the options do not say. */
async function fromTemplate(
  client: ZooClient,
  template: string,
  target: { id?: string; name?: string },
  said: Partial<Pick<Agent, 'description' | 'systemPrompt' | 'mode' | 'model' | 'tools'>>,
): Promise<Agent> {
  if (Object.keys(said).length === 0) return client.call('useTemplate', { template, body: target });
  const { templates } = await client.call('listTemplates', {});
  const found = templates.find((one) => one.id === template);
  // The hub has the right words for a template that is not there.
  if (!found) return client.call('useTemplate', { template, body: target });
  return client.call('createAgent', { body: { id: found.id, ...found.agent, ...said, ...target } });
}
