import type { AgentDefinition } from '../../contract/agent.ts';
import type { Implements } from '../../contract/api.ts';
import type { CallContext } from '../../contract/call.ts';
import { categories, type PartChange, publishedTools, skills } from '../../registry/edit-parts.ts';
import { type AgentDirectory, expectedRevision } from './agent-directory.ts';

interface Edit {
  id: string;
  ifMatch?: number | undefined;
  body?: { revision?: number | undefined };
}

/** Reads an agent, and changes one part of it in one transaction: edits of two parts never undo each other. */
interface PartEditor {
  definition(id: string, context: CallContext): Promise<AgentDefinition>;
  edit<T>(input: Edit, context: CallContext, change: (before: AgentDefinition) => PartChange<T>): Promise<T>;
}

type Part<Names extends keyof Implements<'parts'>> = Pick<Implements<'parts'>, Names>;

export function implementParts(directory: AgentDirectory): Implements<'parts'> {
  const editor = createPartEditor(directory);
  return { ...implementSkills(editor), ...implementCategories(editor), ...implementPublishedTools(editor) };
}

function createPartEditor(directory: AgentDirectory): PartEditor {
  return {
    definition: async (id, context) => (await directory.find(id, context)).agent,
    async edit({ id, ifMatch, body }, context, change) {
      await directory.requireEditable(id, context);
      const expected = expectedRevision(ifMatch, body?.revision);
      return (await directory.store.update(id, { action: 'changed', context, expected }, change)).value;
    },
  };
}

function implementSkills({
  definition,
  edit,
}: PartEditor): Part<'listSkills' | 'getSkill' | 'createSkill' | 'patchSkill' | 'deleteSkill'> {
  return {
    listSkills: async ({ id }, context) => ({ skills: (await definition(id, context)).skills }),
    getSkill: async ({ id, skillId }, context) => skills.find(await definition(id, context), skillId, id),
    createSkill: (input, context) => {
      const { revision: _, ...skill } = input.body;
      return edit(input, context, (before) => skills.add(before, skill, input.id));
    },
    patchSkill: (input, context) => {
      const { revision: _, ...patch } = input.body;
      return edit(input, context, (before) => skills.change(before, input.skillId, patch, input.id));
    },
    deleteSkill: (input, context) =>
      edit(input, context, (before) => skills.remove(before, input.skillId, input.id)),
  };
}

function implementCategories({
  definition,
  edit,
}: PartEditor): Part<
  'listCategories' | 'getCategory' | 'createCategory' | 'patchCategory' | 'deleteCategory'
> {
  return {
    listCategories: async ({ id }, context) => ({
      categories: (await definition(id, context)).skillCategories,
    }),
    getCategory: async ({ id, categoryId }, context) =>
      categories.find(await definition(id, context), categoryId, id),
    createCategory: (input, context) => {
      const { revision: _, ...category } = input.body;
      return edit(input, context, (before) => categories.add(before, category, input.id));
    },
    patchCategory: (input, context) => {
      const { revision: _, ...patch } = input.body;
      return edit(input, context, (before) => categories.change(before, input.categoryId, patch, input.id));
    },
    deleteCategory: (input, context) =>
      edit(input, context, (before) => categories.remove(before, input.categoryId, input.id)),
  };
}

function implementPublishedTools({
  definition,
  edit,
}: PartEditor): Part<
  | 'listPublishedTools'
  | 'getPublishedTool'
  | 'createPublishedTool'
  | 'patchPublishedTool'
  | 'deletePublishedTool'
> {
  return {
    listPublishedTools: async ({ id }, context) => ({
      publishedTools: (await definition(id, context)).publishedTools,
    }),
    getPublishedTool: async ({ id, toolId }, context) =>
      publishedTools.find(await definition(id, context), toolId, id),
    createPublishedTool: (input, context) => {
      const { revision: _, ...tool } = input.body;
      return edit(input, context, (before) => publishedTools.add(before, tool, input.id));
    },
    patchPublishedTool: (input, context) => {
      const { revision: _, ...patch } = input.body;
      return edit(input, context, (before) => publishedTools.change(before, input.toolId, patch, input.id));
    },
    deletePublishedTool: (input, context) =>
      edit(input, context, (before) => publishedTools.remove(before, input.toolId, input.id)),
  };
}
