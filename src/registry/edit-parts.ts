import type * as z from 'zod';
import {
  type AgentDefinition,
  DEFAULT_CATEGORY,
  type PublishedTool,
  type PublishedToolInput,
  type PublishedToolPatch,
  type Skill,
  type SkillCategory,
  type SkillCategoryInput,
  type SkillCategoryPatch,
  type SkillInput,
  type SkillPatch,
} from '../contract/agent.ts';
import { type ErrorCode, ZooError } from '../contract/errors.ts';
import { applyPatch } from './definition.ts';
import { placeItem } from './place-item.ts';
import { enableRequired } from './required-skills.ts';

/** The definition after one of its parts was changed, and that part. */
export interface PartChange<T> {
  definition: AgentDefinition;
  value: T;
}

/** The parts of one kind of an agent, whose id appears in errors. */
interface Parts<T, Input, Patch> {
  find(definition: AgentDefinition, id: string, agentId: string): T;
  add(before: AgentDefinition, part: Input, agentId: string): PartChange<T>;
  change(before: AgentDefinition, id: string, patch: Patch, agentId: string): PartChange<T>;
  remove(before: AgentDefinition, id: string, agentId: string): PartChange<null>;
}

const findSkill = finder('Skill', 'skill_not_found', ({ skills }) => skills);
const findCategory = finder('Category', 'category_not_found', ({ skillCategories }) => skillCategories);
const findTool = finder('Published tool', 'published_tool_not_found', ({ publishedTools }) => publishedTools);

export const skills: Parts<Skill, z.infer<typeof SkillInput>, z.infer<typeof SkillPatch>> = {
  find: findSkill,

  add(before, skill, agentId) {
    refuseTaken(before.skills, skill.id, 'skill');
    requireCategory(before, skill.categoryId, agentId);
    const definition = applyPatch(before, { skills: [...before.skills, skill] });
    return { definition, value: last(definition.skills) };
  },

  change(before, id, { before: place, ...patch }, agentId) {
    requireCategory(before, patch.categoryId, agentId);
    const changed = { ...findSkill(before, id, agentId), ...named(patch) };
    const placed = placeItem(before.skills, changed, place);
    const definition = applyPatch(before, {
      skills: patch.enabled === true ? enableRequired(placed, id) : placed,
    });
    return { definition, value: findSkill(definition, id, agentId) };
  },

  remove(before, id, agentId) {
    const skills = without(before.skills, findSkill(before, id, agentId));
    return { definition: { ...before, skills }, value: null };
  },
};

export const categories: Parts<
  SkillCategory,
  z.infer<typeof SkillCategoryInput>,
  z.infer<typeof SkillCategoryPatch>
> = {
  find: findCategory,

  add(before, category) {
    refuseTaken(before.skillCategories, category.id, 'category');
    const definition = applyPatch(before, { skillCategories: [...before.skillCategories, category] });
    return { definition, value: last(definition.skillCategories) };
  },

  change(before, id, { before: place, ...patch }, agentId) {
    const changed = { ...findCategory(before, id, agentId), ...named(patch) };
    const definition = applyPatch(before, {
      skillCategories: placeItem(before.skillCategories, changed, place),
    });
    return { definition, value: findCategory(definition, id, agentId) };
  },

  /** Its skills move to the default category. */
  remove(before, id, agentId) {
    if (id === DEFAULT_CATEGORY.id) {
      throw new ZooError(
        'invalid_arguments',
        `categoryId: '${id}' cannot be deleted, because it holds the skills of deleted categories.`,
      );
    }
    const skillCategories = without(before.skillCategories, findCategory(before, id, agentId));
    const moved = before.skills.map((skill) =>
      skill.categoryId === id ? { ...skill, categoryId: DEFAULT_CATEGORY.id } : skill,
    );
    return { definition: { ...before, skillCategories, skills: moved }, value: null };
  },
};

export const publishedTools: Parts<
  PublishedTool,
  z.infer<typeof PublishedToolInput>,
  z.infer<typeof PublishedToolPatch>
> = {
  find: findTool,

  add(before, tool) {
    refuseTaken(before.publishedTools, tool.id, 'published tool');
    refuseNamed(before.publishedTools, tool.name, undefined);
    const definition = applyPatch(before, { publishedTools: [...before.publishedTools, tool] });
    return { definition, value: last(definition.publishedTools) };
  },

  change(before, id, patch, agentId) {
    const tool = findTool(before, id, agentId);
    refuseNamed(before.publishedTools, patch.name, id);
    const changed = before.publishedTools.map((other) =>
      other === tool ? { ...other, ...named(patch) } : other,
    );
    const definition = applyPatch(before, { publishedTools: changed });
    return { definition, value: findTool(definition, id, agentId) };
  },

  remove(before, id, agentId) {
    const publishedTools = without(before.publishedTools, findTool(before, id, agentId));
    return { definition: { ...before, publishedTools }, value: null };
  },
};

const without = <T>(items: readonly T[], item: T): T[] => items.filter((other) => other !== item);

function finder<T extends { id: string }>(
  kind: string,
  code: ErrorCode,
  partsOf: (definition: AgentDefinition) => readonly T[],
): (definition: AgentDefinition, id: string, agentId: string) => T {
  return (definition, id, agentId) => {
    const parts = partsOf(definition);
    const found = parts.find((part) => part.id === id);
    if (found) return found;
    const ids = parts.map((part) => part.id).join(', ') || 'none';
    throw new ZooError(code, `${kind} '${id}' not found. Available: ${ids}.`, { id, agentId });
  };
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

function requireCategory(definition: AgentDefinition, id: string | undefined, agentId: string): void {
  if (id !== undefined) findCategory(definition, id, agentId);
}

/** The fields of a patch without those that are undefined. */
function named<T extends object>(patch: T): { [K in keyof T]?: Exclude<T[K], undefined> };
function named(patch: object): object {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}
