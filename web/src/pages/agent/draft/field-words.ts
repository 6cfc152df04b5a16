import type { FieldName } from './merge-draft.ts';

/** Labels of the fields of a definition. */
export const fieldWords: Record<FieldName, string> = {
  name: 'Name',
  description: 'Description',
  version: 'Version',
  mode: 'Mode',
  systemPrompt: 'Persona',
  tools: 'Tools',
  sources: 'Knowledge sources',
  context: 'Context queries',
  contextRefs: 'Context files',
  contextTokens: 'Context budget',
  model: 'Model',
  toolPermission: 'Tool permission',
  toolApprovals: 'Permissions per tool',
  a2aSkills: 'A2A skills',
  appearanceSeed: 'Appearance',
  metadata: 'Metadata',
  skillCategories: 'Skill categories',
  skills: 'Skills',
  arguments: 'Arguments',
  publishedTools: 'Published tools',
};

/** A value as lines that can be compared: texts as they are, everything else as JSON. */
export const asText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value, null, 2);
