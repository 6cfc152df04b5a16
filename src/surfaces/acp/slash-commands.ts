import type { AvailableCommand } from '@agentclientprotocol/sdk';
import type { Agent } from '../../contract/agent.ts';
import { fillTemplate } from '../../contract/published/prompt-template.ts';
import type { UserPart } from '../../contract/run.ts';
import { validateArguments } from '../../tools/validate-arguments.ts';
import { toJsonSchema } from '../../contract/parameters.ts';
import { typedArguments } from '../../platform/text/typed-arguments.ts';

type Commanded = Pick<Agent, 'skills' | 'publishedTools'>;

/** The skills and published tools of an agent, as commands. A tool wins over a skill of the same name. */
export function availableCommands({ skills, publishedTools }: Commanded): AvailableCommand[] {
  const tools = publishedTools.map(({ name, description, parameters }) => {
    const names = Object.keys(parameters.properties ?? {});
    const hint = names.length < 2 ? (names[0] ?? '') : names.map((each) => `${each}=…`).join(' ');
    return { name, description: firstLine(description) || name, ...(hint === '' ? {} : { input: { hint } }) };
  });
  const taken = new Set(tools.map(({ name }) => name));
  const ofSkills = skills.map(({ id, name, description }) => ({
    name: id,
    description: firstLine(description) || name,
    input: { hint: 'what to do with it' },
  }));
  return [...tools, ...ofSkills.filter(({ name }) => !taken.has(name))];
}

/** A message that begins with a command, with the command expanded. */
export async function expandCommand(
  parts: readonly UserPart[],
  { skills, publishedTools }: Commanded,
): Promise<UserPart[]> {
  const [first, ...rest] = parts;
  if (first?.type !== 'text') return [...parts];
  const [, name, input = ''] = /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(first.text.trim()) ?? [];
  const tool = publishedTools.find((each) => each.name === name);
  if (tool) {
    const { parameters, prompt } = tool;
    const schema = toJsonSchema(parameters);
    const args = await validateArguments(
      { name: tool.name, inputSchema: schema },
      typedArguments(input, parameters),
    );
    return [{ type: 'text', text: fillTemplate(prompt, args, tool) }, ...rest];
  }
  const skill = skills.find((each) => each.id === name);
  if (!skill) return [...parts];
  const text = [`Use the skill "${skill.name}":`, skill.description, input].filter((part) => part !== '');
  return [{ type: 'text', text: text.join('\n\n') }, ...rest];
}

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? '';
