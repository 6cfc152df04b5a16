import { type AgentDefinition, DEFAULT_CATEGORY } from '../../contract/agent.ts';
import type { Implements } from '../../contract/api.ts';
import type { CallContext } from '../../contract/call.ts';
import { type ErrorCode, ZooError } from '../../contract/errors.ts';
import { applyPatch } from '../../registry/definition.ts';
import { placeItem } from '../../registry/place-item.ts';
import { enableRequired } from '../../registry/required-skills.ts';
import { type AgentDirectory, expectedRevision } from './agent-directory.ts';

interface Edit {
  id: string;
  ifMatch?: number | undefined;
  body?: { revision?: number | undefined };
}

/** Reads an agent, and changes one part of it in one transaction: edits of two parts never undo each other. */
interface PartEditor {
  definition(id: string, context: CallContext): Promise<AgentDefinition>;
  edit<T>(
    input: Edit,
    context: CallContext,
    change: (definition: AgentDefinition) => { definition: AgentDefinition; value: T },
  ): Promise<T>;
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

    getSkill: async ({ id, skillId }, context) => skillOf(await definition(id, context), id, skillId),

    createSkill: (input, context) =>
      edit(input, context, (before) => {
        const { revision: _, ...skill } = input.body;
        refuseTaken(before.skills, skill.id, 'skill');
        requireCategory(before, input.id, skill.categoryId);
        const next = applyPatch(before, { skills: [...before.skills, skill] });
        return { definition: next, value: last(next.skills) };
      }),

    patchSkill: (input, context) =>
      edit(input, context, (before) => {
        const { revision: _, before: place, ...patch } = input.body;
        requireCategory(before, input.id, patch.categoryId);
        const skill = skillOf(before, input.id, input.skillId);
        const changed = { ...skill, ...named(patch) };
        const placed = placeItem(before.skills, changed, place);
        const skills = patch.enabled === true ? enableRequired(placed, input.skillId) : placed;
        const next = applyPatch(before, { skills });
        return { definition: next, value: skillOf(next, input.id, input.skillId) };
      }),

    deleteSkill: (input, context) =>
      edit(input, context, (before) => {
        const skill = skillOf(before, input.id, input.skillId);
        const skills = before.skills.filter((other) => other !== skill);
        return { definition: { ...before, skills }, value: null };
      }),
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
      categoryOf(await definition(id, context), id, categoryId),

    createCategory: (input, context) =>
      edit(input, context, (before) => {
        const { revision: _, ...category } = input.body;
        refuseTaken(before.skillCategories, category.id, 'category');
        const next = applyPatch(before, { skillCategories: [...before.skillCategories, category] });
        return { definition: next, value: last(next.skillCategories) };
      }),

    patchCategory: (input, context) =>
      edit(input, context, (before) => {
        const { revision: _, before: place, ...patch } = input.body;
        const category = categoryOf(before, input.id, input.categoryId);
        const changed = { ...category, ...named(patch) };
        const next = applyPatch(before, {
          skillCategories: placeItem(before.skillCategories, changed, place),
        });
        return {
          definition: next,
          value: categoryOf(next, input.id, input.categoryId),
        };
      }),

    deleteCategory: (input, context) =>
      edit(input, context, (before) => {
        if (input.categoryId === DEFAULT_CATEGORY.id) {
          throw new ZooError(
            'invalid_arguments',
            `categoryId: '${DEFAULT_CATEGORY.id}' cannot be deleted, because it holds the skills of deleted categories.`,
          );
        }
        const category = categoryOf(before, input.id, input.categoryId);
        const skillCategories = before.skillCategories.filter((other) => other !== category);
        const skills = before.skills.map((skill) =>
          skill.categoryId === category.id ? { ...skill, categoryId: DEFAULT_CATEGORY.id } : skill,
        );
        return { definition: { ...before, skillCategories, skills }, value: null };
      }),
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

    getPublishedTool: async ({ id, toolId }, context) => toolOf(await definition(id, context), id, toolId),

    createPublishedTool: (input, context) =>
      edit(input, context, (before) => {
        const { revision: _, ...tool } = input.body;
        refuseTaken(before.publishedTools, tool.id, 'published tool');
        refuseNamed(before.publishedTools, tool.name, undefined);
        const next = applyPatch(before, { publishedTools: [...before.publishedTools, tool] });
        return { definition: next, value: last(next.publishedTools) };
      }),

    patchPublishedTool: (input, context) =>
      edit(input, context, (before) => {
        const { revision: _, ...patch } = input.body;
        const tool = toolOf(before, input.id, input.toolId);
        refuseNamed(before.publishedTools, patch.name, tool.id);
        const publishedTools = before.publishedTools.map((other) =>
          other === tool ? { ...other, ...named(patch) } : other,
        );
        const next = applyPatch(before, { publishedTools });
        return {
          definition: next,
          value: toolOf(next, input.id, input.toolId),
        };
      }),

    deletePublishedTool: (input, context) =>
      edit(input, context, (before) => {
        const tool = toolOf(before, input.id, input.toolId);
        const publishedTools = before.publishedTools.filter((other) => other !== tool);
        return { definition: { ...before, publishedTools }, value: null };
      }),
  };
}

/** Finds a part of an agent by its id. */
function finder<T extends { id: string }>(
  kind: string,
  code: ErrorCode,
  partsOf: (definition: AgentDefinition) => readonly T[],
): (definition: AgentDefinition, agentId: string, id: string) => T {
  return (definition, agentId, id) => {
    const parts = partsOf(definition);
    const found = parts.find((part) => part.id === id);
    if (found) return found;
    const ids = parts.map((part) => part.id).join(', ') || 'none';
    throw new ZooError(code, `${kind} '${id}' not found. Available: ${ids}.`, { id, agentId });
  };
}

const skillOf = finder('Skill', 'skill_not_found', ({ skills }) => skills);
const categoryOf = finder('Category', 'category_not_found', ({ skillCategories }) => skillCategories);
const toolOf = finder('Published tool', 'published_tool_not_found', ({ publishedTools }) => publishedTools);

function last<T>(items: readonly T[]): T {
  const item = items.at(-1);
  if (item === undefined) throw new Error('an item was added, and none is there');
  return item;
}

function refuseTaken(items: readonly { id: string }[], id: string | undefined, kind: string): void {
  if (id === undefined || !items.some((item) => item.id === id)) return;
  throw new ZooError('already_exists', `This agent already has a ${kind} with the id '${id}'.`, { id });
}

function refuseNamed(
  tools: readonly { id: string; name: string }[],
  name: string | undefined,
  except: string | undefined,
): void {
  if (!tools.some((tool) => tool.name === name && tool.id !== except)) return;
  throw new ZooError('already_exists', `This agent already publishes a tool named '${name}'.`, { name });
}

function requireCategory(definition: AgentDefinition, agentId: string, id: string | undefined): void {
  if (id !== undefined) categoryOf(definition, agentId, id);
}

/** The fields of a patch without those that are undefined. */
function named<T extends object>(patch: T): { [K in keyof T]?: Exclude<T[K], undefined> };
function named(patch: object): object {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}
