import { stringify } from 'yaml';
import { AgentPatch, DEFAULT_CATEGORY } from '../../../contract/agent.ts';
import type { AgentDefinition, AgentInput } from '../../../contract/agent.ts';
import { ZooError } from '../../../contract/errors.ts';
import { nearest } from '../../../contract/nearest.ts';
import { parseFrontMatter } from '../../../platform/files/front-matter.ts';
import { completeDefinition } from '../../../registry/definition.ts';
import { isAgentField, parseMarkdownAgent } from '../../../registry/markdown/markdown-agent.ts';

export interface MarkdownHead {
  id?: string;
  comment?: string;
  /** For editing: shows the usual fields even with their defaults, and distinguishes misspelt fields from metadata. */
  editing?: true;
}

/** An agent as text: the front matter has all fields except for the persona, which is the body. */
export function renderMarkdown(agent: AgentDefinition, head: MarkdownHead = {}): string {
  const { systemPrompt, metadata, ...rest } = agent;
  const fields = withoutDefaults(rest, head.editing ?? false);
  const front = stringify(
    {
      ...(head.id === undefined ? {} : { id: head.id }),
      ...fields,
      ...(head.editing ? nested(metadata) : atTopLevel(metadata, fields)),
    },
    { lineWidth: 0 },
  );
  const comment = (head.comment ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `# ${line}\n`)
    .join('');
  return `---\n${comment}${front}---\n\n${systemPrompt.trim()}\n`;
}

const nested = (metadata: AgentDefinition['metadata']): Record<string, unknown> =>
  Object.keys(metadata).length === 0 ? {} : { metadata };

/** Restores front matter of other tools (`hooks`, `permissionMode`, `color`) to the top level. */
function atTopLevel(
  metadata: AgentDefinition['metadata'],
  fields: Record<string, unknown>,
): Record<string, unknown> {
  const inherits = metadata['model'] === 'inherit' && !('model' in fields);
  const isTop = (key: string): boolean => (key === 'model' ? inherits : key !== 'id' && !isAgentField(key));
  const entries = Object.entries(metadata);
  return {
    ...Object.fromEntries(entries.filter(([key]) => isTop(key))),
    ...nested(Object.fromEntries(entries.filter(([key]) => !isTop(key)))),
  };
}

/** Omits defaults; those of version, mode and appearance are kept for editing. */
function withoutDefaults(
  agent: Omit<AgentDefinition, 'systemPrompt' | 'metadata'>,
  editing: boolean,
): Record<string, unknown> {
  const blank = completeDefinition({ name: agent.name });
  const { name, description, version, mode, model, tools, sources, contextTokens } = agent;
  const { toolPermission, toolApprovals } = agent;
  const { appearanceSeed, skillCategories, skills, publishedTools, context, contextRefs } = agent;
  const onlyDefault = skillCategories.every(
    ({ id, name: title, description: about }) =>
      id === DEFAULT_CATEGORY.id && title === DEFAULT_CATEGORY.name && about === '',
  );
  return {
    name,
    description,
    ...(editing || version !== blank.version ? { version } : {}),
    ...(editing || mode !== blank.mode ? { mode } : {}),
    ...(model === null ? {} : { model }),
    ...(tools === null ? {} : { tools }),
    ...(toolPermission === blank.toolPermission ? {} : { toolPermission }),
    ...(Object.keys(toolApprovals).length > 0 ? { toolApprovals } : {}),
    ...(sources === null ? {} : { sources }),
    ...(agent.arguments.length === 0 ? {} : { arguments: agent.arguments }),
    ...(context.length === 0 ? {} : { context }),
    ...(contextRefs.length === 0 ? {} : { contextRefs }),
    ...(contextTokens === null ? {} : { contextTokens }),
    ...(onlyDefault ? {} : { skillCategories }),
    ...(skills.length === 0 ? {} : { skills }),
    ...(publishedTools.length === 0 ? {} : { publishedTools }),
    ...(agent.a2aSkills ? { a2aSkills: agent.a2aSkills } : {}),
    ...(editing || appearanceSeed !== blank.appearanceSeed ? { appearanceSeed } : {}),
  };
}

/** Parses the edited text. Unknown fields are errors here, not metadata. */
export async function parseEdited(text: string): Promise<AgentInput> {
  const front = await parseFrontMatter(text);
  const fields = front.kind === 'found' ? front.fields : [];
  for (const { key, line } of fields) {
    if (key in AgentPatch.shape) continue;
    const meant = nearest(key, Object.keys(AgentPatch.shape));
    throw invalid([`line ${line}: unknown field ${key}${meant === null ? '' : `; did you mean ${meant}?`}`]);
  }
  const parsed = await parseMarkdownAgent(text, '', '');
  if (parsed.ok) return parsed.input;
  throw invalid(
    parsed.diagnostics.map(({ line, message }) => (line === null ? message : `line ${line}: ${message}`)),
  );
}

const invalid = (problems: readonly string[]): ZooError =>
  new ZooError('invalid_arguments', problems.join('\n'));
