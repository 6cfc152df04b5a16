import { stringify } from 'smol-toml';
import type { AgentDefinition } from '../../../contract/agent.ts';
import { DEFAULT_CATEGORY } from '../../../contract/agent.ts';
import { completeDefinition } from '../../../registry/definition.ts';

/** `[agents.ID]`, as a config has it. */
export function renderToml(id: string, agent: AgentDefinition): string {
  const blank = completeDefinition({ name: agent.name });
  const unlessDefault = <K extends 'version' | 'mode' | 'toolPermission' | 'appearanceSeed'>(field: K) =>
    agent[field] === blank[field] ? undefined : agent[field];
  const inline = {
    name: agent.name === id ? undefined : agent.name,
    description: agent.description,
    version: unlessDefault('version'),
    mode: unlessDefault('mode'),
    model: agent.model,
    tools: agent.tools,
    sources: agent.sources,
    tool_permission: unlessDefault('toolPermission'),
    ...(Object.keys(agent.toolApprovals).length > 0 ? { tool_approvals: agent.toolApprovals } : {}),
    a2a_skills: agent.a2aSkills,
    appearance_seed: unlessDefault('appearanceSeed'),
    context_refs: unlessEmpty(agent.contextRefs),
    context_tokens: agent.contextTokens,
    arguments: unlessEmpty(agent.arguments),
    context: unlessEmpty(agent.context),
    skill_categories: unlessEmpty(
      agent.skillCategories.filter((category) => category.id !== DEFAULT_CATEGORY.id),
    ),
    skills: unlessEmpty(
      agent.skills.map(({ categoryId, ...skill }) => ({
        ...skill,
        ...(categoryId === DEFAULT_CATEGORY.id ? {} : { category: categoryId }),
      })),
    ),
    published_tools: unlessEmpty(agent.publishedTools),
    metadata: Object.keys(agent.metadata).length === 0 ? undefined : agent.metadata,
  };
  const text = stringify({ agents: { [id]: withoutNulls(inline) } });
  if (agent.systemPrompt === '') return text;
  // The library writes every text on one line; the persona should stay readable.
  const header = text.indexOf('\n') + 1;
  return `${text.slice(0, header)}system_prompt = ${renderText(agent.systemPrompt)}\n${text.slice(header)}`;
}

function renderText(text: string): string {
  const literal = text.includes('\n') && !/'''|(?![\n\t])\p{Cc}/u.test(text) && !text.endsWith("'");
  return literal ? `'''\n${text}'''` : JSON.stringify(text).replaceAll('\u007f', '\\u007F');
}

const unlessEmpty = <T>(items: readonly T[]): readonly T[] | undefined =>
  items.length === 0 ? undefined : items;

/** TOML has no null, so these fields are omitted. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== null && item !== undefined)
      .map(([key, item]) => [key, withoutNulls(item)]),
  );
}
