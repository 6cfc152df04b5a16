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

    getSkill: async ({ id, skillId }, context) =>
      pick((await definition(id, context)).skills, skillId, 'skill_not_found'),

    createSkill: (input, context) =>
      edit(input, context, (before) => {
        const { revision: _, ...skill } = input.body;
        refuseTaken(before.skills, skill.id, 'skill');
        requireCategory(before, skill.categoryId);
        const next = applyPatch(before, { skills: [...before.skills, skill] });
        return { definition: next, value: last(next.skills) };
      }),

    patchSkill: (input, context) =>
      edit(input, context, (before) => {
        const { revision: _, before: place, ...patch } = input.body;
        requireCategory(before, patch.categoryId);
        const skill = pick(before.skills, input.skillId, 'skill_not_found');
        const changed = { ...skill, ...named(patch) };
        const placed = placeItem(before.skills, changed, place);
        const skills = patch.enabled === true ? enableRequired(placed, input.skillId) : placed;
        const next = applyPatch(before, { skills });
        return { definition: next, value: pick(next.skills, input.skillId, 'skill_not_found') };
      }),

    deleteSkill: (input, context) =>
      edit(input, context, (before) => {
        const skill = pick(before.skills, input.skillId, 'skill_not_found');
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
      pick((await definition(id, context)).skillCategories, categoryId, 'category_not_found'),

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
        const category = pick(before.skillCategories, input.categoryId, 'category_not_found');
        const changed = { ...category, ...named(patch) };
        const next = applyPatch(before, {
          skillCategories: placeItem(before.skillCategories, changed, place),
        });
        return {
          definition: next,
          value: pick(next.skillCategories, input.categoryId, 'category_not_found'),
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
        const category = pick(before.skillCategories, input.categoryId, 'category_not_found');
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

    getPublishedTool: async ({ id, toolId }, context) =>
      pick((await definition(id, context)).publishedTools, toolId, 'published_tool_not_found'),

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
        const tool = pick(before.publishedTools, input.toolId, 'published_tool_not_found');
        refuseNamed(before.publishedTools, patch.name, tool.id);
        const publishedTools = before.publishedTools.map((other) =>
          other === tool ? { ...other, ...named(patch) } : other,
        );
        const next = applyPatch(before, { publishedTools });
        return {
          definition: next,
          value: pick(next.publishedTools, input.toolId, 'published_tool_not_found'),
        };
      }),

    deletePublishedTool: (input, context) =>
      edit(input, context, (before) => {
        const tool = pick(before.publishedTools, input.toolId, 'published_tool_not_found');
        const publishedTools = before.publishedTools.filter((other) => other !== tool);
        return { definition: { ...before, publishedTools }, value: null };
      }),
  };
}

function pick<T extends { id: string }>(items: readonly T[], id: string, code: ErrorCode): T {
  const found = items.find((item) => item.id === id);
  if (found) return found;
  const ids = items.map((item) => item.id).join(', ') || 'none';
  throw new ZooError(code, `'${id}' not found. Available: ${ids}.`, { id });
}

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

function requireCategory(definition: AgentDefinition, id: string | undefined): void {
  if (id !== undefined) pick(definition.skillCategories, id, 'category_not_found');
}

/** The fields of a patch without those that are undefined. */
function named<T extends object>(patch: T): { [K in keyof T]?: Exclude<T[K], undefined> };
function named(patch: object): object {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}
