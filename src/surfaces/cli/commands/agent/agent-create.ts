import type { ZooClient } from '../../../../contract/api.ts';
import type { AgentMode, SavedAgent } from '../../../../contract/agent.ts';
import { Failure, wrongUsage } from '../../output/failure.ts';
import type { Asker } from '../../input/asker.ts';
import { confirm } from '../../input/asker.ts';
import { readText } from '../../input/read-text.ts';
import { errorView, print, say, warn } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { renderDone } from '../../render/done.ts';
import { firstLine, indent, renderFacts } from '../../render/layout.ts';
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

/** By options, or by asking the person at the terminal. */
export async function createAgent(call: Invocation, options: CreateOptions): Promise<void> {
  const { asker } = call.terminal;
  if (options.systemPromptFile !== undefined && options.systemPrompt !== undefined) {
    throw wrongUsage('use --system-prompt or --system-prompt-file, not both');
  }
  const named = options.name !== undefined || options.template !== undefined;
  if (!named && (!asker || call.json)) {
    throw wrongUsage(
      'the agent needs a name',
      'zoo agent create --name "Code reviewer"',
      'or use --template ID',
    );
  }
  const agent = await withClient(call, async (client) => {
    const answered = named || !asker ? options : await askForAgent(call, asker, client, options);
    return create(call, client, answered);
  });
  print(call, agent, () => renderDone('Created', agent));
  for (const warning of agent.warnings ?? []) if (!call.json) warn(call, warning);
  if (!call.json) say(call, `Test it: zoo agent test ${agent.id}\nEdit it: zoo agent edit ${agent.id}`);
}

async function create(call: Invocation, client: ZooClient, options: CreateOptions): Promise<SavedAgent> {
  const { name, id, template, tool, systemPromptFile, ...rest } = options;
  const fields = {
    ...rest,
    ...(tool === undefined ? {} : { tools: tool }),
    ...(systemPromptFile === undefined ? {} : { systemPrompt: await readText(call, systemPromptFile) }),
  };
  const target = { ...(id === undefined ? {} : { id }), ...(name === undefined ? {} : { name }) };
  if (template === undefined)
    return client.call('createAgent', { body: { ...fields, ...target, name: name ?? '' } });
  if (Object.keys(fields).length === 0) return client.call('useTemplate', { template, body: target });
  const { templates } = await client.call('listTemplates', {});
  const found = templates.find((one) => one.id === template);
  // The hub explains a missing template.
  if (!found) return client.call('useTemplate', { template, body: target });
  return client.call('createAgent', { body: { id: found.id, ...found.agent, ...fields, ...target } });
}

const BLANK = 'start from scratch';
const OWN_TOOLS = 'choose them';
const DEFAULT_TOOLS = 'the read-only built-ins';
const TEMPLATE_TOOLS = 'those of the template';
const NO_TOOLS = 'none';

/** Name, purpose, template, tools, preview and confirmation. Skips questions that the options answer. */
async function askForAgent(
  call: Invocation,
  asker: Asker,
  client: ZooClient,
  options: CreateOptions,
): Promise<CreateOptions> {
  const name = given(
    await asker.text('Name of the agent', {
      placeholder: 'Code reviewer',
      refuse: (answer) => (answer.trim() === '' ? 'The agent needs a name.' : undefined),
    }),
  ).trim();
  const description =
    options.description ?? given(await asker.text('What is it for?', { placeholder: 'Reviews code' })).trim();
  const { templates } = await client.call('listTemplates', {});
  const template = given(
    await asker.choose('Template', [
      { value: BLANK },
      ...templates.map(({ id, agent }) => ({
        value: id,
        hint: firstLine(agent.description ?? agent.name, 60),
      })),
    ]),
  );
  const tool =
    options.tool ?? (await askForTools(asker, client, template === BLANK ? DEFAULT_TOOLS : TEMPLATE_TOOLS));
  const answers: CreateOptions = {
    ...options,
    name,
    ...(description === '' ? {} : { description }),
    ...(template === BLANK ? {} : { template }),
    ...(tool === undefined ? {} : { tool }),
  };
  const persona = templates.find(({ id }) => id === template)?.agent.systemPrompt;
  say(call, preview(answers, persona, call));
  if (!(await confirm(asker, 'Create it?', true))) throw cancelled();
  return answers;
}

async function askForTools(
  asker: Asker,
  client: ZooClient,
  unchanged: string,
): Promise<string[] | undefined> {
  const how = given(
    await asker.choose('Tools', [{ value: unchanged }, { value: OWN_TOOLS }, { value: NO_TOOLS }]),
  );
  if (how === NO_TOOLS) return [];
  if (how === unchanged) return undefined;
  const { tools } = await client.call('listTools', {});
  return given(
    await asker.chooseMany(
      'Which tools may it use?',
      tools.map(({ displayName, description }) => ({ value: displayName, hint: firstLine(description, 60) })),
    ),
  );
}

function preview(answers: CreateOptions, persona: string | undefined, call: Invocation): string {
  const { name = '', description = '', template = BLANK, tool } = answers;
  const facts = renderFacts(
    [
      ['Name', name],
      ['Description', description || '(none)'],
      ['Template', template],
      [
        'Tools',
        tool === undefined
          ? template === BLANK
            ? DEFAULT_TOOLS
            : TEMPLATE_TOOLS
          : tool.join(', ') || NO_TOOLS,
      ],
    ],
    errorView(call),
  );
  return `\n${facts}\n${persona === undefined ? '' : `\n${indent(persona)}\n`}`;
}

function given<T>(answer: T | null): T {
  if (answer === null) throw cancelled();
  return answer;
}

const cancelled = (): Failure => new Failure('cancelled; no agent was created', { code: 'cancelled' });
