import { ZooError } from '../contract/errors.ts';
import {
  type Agent,
  type AgentDefinition,
  type AgentInput,
  type AgentPatch,
  DEFAULT_CATEGORY,
} from '../contract/agent.ts';
import { duplicateNameProblems, publishedToolProblems } from '../contract/published/check-published-tool.ts';
import { firstFree, slug } from '../platform/text/slug.ts';

/** The defaults of an agent. */
function blankDefinition(name: string): AgentDefinition {
  return {
    name,
    description: '',
    version: '1.0.0',
    mode: 'interactive',
    systemPrompt: '',
    skillCategories: [],
    skills: [],
    tools: null,
    sources: null,
    arguments: [],
    context: [],
    publishedTools: [],
    contextRefs: [],
    contextTokens: null,
    model: null,
    toolPermission: 'tool',
    toolApprovals: {},
    appearanceSeed: name,
    metadata: {},
  };
}

/** Completes an authored definition. Throws `invalid_arguments` if parts contradict each other. */
export function completeDefinition(input: AgentInput): AgentDefinition {
  return applyPatch(blankDefinition(input.name), input);
}

/** Changes only the fields of the patch; items without an id get one. */
export function applyPatch(definition: AgentDefinition, patch: AgentPatch): AgentDefinition {
  const { skillCategories, skills, arguments: args, publishedTools, ...fields } = patch;
  const next: AgentDefinition = { ...definition };
  assignNamed(next, fields);
  if (skillCategories) {
    next.skillCategories = withIds(skillCategories, 'category').map((category) => ({
      id: category.id,
      name: category.name,
      description: category.description ?? '',
      ...(category.color === undefined ? {} : { color: category.color }),
    }));
  }
  if (skills) {
    next.skills = withIds(skills, 'skill').map((skill) => ({
      id: skill.id,
      name: skill.name,
      description: skill.description ?? '',
      enabled: skill.enabled ?? true,
      categoryId: skill.categoryId ?? DEFAULT_CATEGORY.id,
      ...(skill.requires === undefined || skill.requires.length === 0 ? {} : { requires: skill.requires }),
    }));
  }
  if (args) {
    next.arguments = args.map((argument) => ({
      name: argument.name,
      description: argument.description ?? '',
      required: argument.required ?? false,
      ...(argument.default === undefined ? {} : { default: argument.default }),
    }));
  }
  if (publishedTools) {
    next.publishedTools = withIds(publishedTools, 'tool').map((tool) => ({
      ...tool,
      description: tool.description ?? '',
      parameters: tool.parameters ?? { type: 'object', properties: {} },
    }));
    refuseToolProblems(next.publishedTools);
  }
  return checked(withDefaultCategory(next));
}

/** The authored part of an agent. */
export function definitionOf(agent: Agent): AgentDefinition {
  const { id: _id, source: _source, origin: _origin, revision: _revision, ...rest } = agent;
  const { createdAt: _created, updatedAt: _updated, ...definition } = rest;
  return definition;
}

type Scalars = Omit<AgentPatch, 'skillCategories' | 'skills' | 'arguments' | 'publishedTools'>;

function assignNamed(target: AgentDefinition, fields: Scalars): void {
  // Ignores fields that are `undefined`.
  const named = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  Object.assign(target, named);
}

function withIds<T extends { id?: string | undefined; name: string }>(
  items: readonly T[],
  kind: string,
): (T & { id: string })[] {
  const taken = new Set(items.flatMap((item) => (item.id === undefined ? [] : [item.id])));
  return items.map((item) => {
    if (item.id !== undefined) return { ...item, id: item.id };
    const id = firstFree(slug(item.name, kind), (candidate) => taken.has(candidate));
    taken.add(id);
    return { ...item, id };
  });
}

function withDefaultCategory(definition: AgentDefinition): AgentDefinition {
  const has = definition.skillCategories.some(({ id }) => id === DEFAULT_CATEGORY.id);
  if (has) return definition;
  return { ...definition, skillCategories: [{ ...DEFAULT_CATEGORY }, ...definition.skillCategories] };
}

function checked(definition: AgentDefinition): AgentDefinition {
  const { skills, skillCategories, arguments: args, publishedTools } = definition;
  refuseTwice(
    'skills',
    'id',
    skills.map(({ id }) => id),
  );
  refuseTwice(
    'skillCategories',
    'id',
    skillCategories.map(({ id }) => id),
  );
  refuseTwice(
    'arguments',
    'name',
    args.map(({ name }) => name),
  );
  refuseTwice(
    'publishedTools',
    'id',
    publishedTools.map(({ id }) => id),
  );
  const categories = new Set(skillCategories.map(({ id }) => id));
  for (const skill of skills) {
    if (!categories.has(skill.categoryId)) {
      throw new ZooError(
        'invalid_arguments',
        `skills.${skill.id}.categoryId: unknown category '${skill.categoryId}'. Known: ${[...categories].join(', ')}`,
      );
    }
  }
  return definition;
}

/** Reports all mistakes in one error. */
function refuseToolProblems(tools: AgentDefinition['publishedTools']): void {
  const found = [
    ...duplicateNameProblems(tools),
    ...tools.flatMap((tool, index) =>
      publishedToolProblems(tool).map(({ path, message }) => ({ path: [index, ...path], message })),
    ),
  ];
  if (found.length === 0) return;
  const issues = found.map(({ path, message }) => ({ path: ['publishedTools', ...path].join('.'), message }));
  throw new ZooError(
    'invalid_arguments',
    issues.map(({ path, message }) => `${path}: ${message}`).join('; '),
    {
      issues,
    },
  );
}

function refuseTwice(list: string, key: string, values: readonly string[]): void {
  const seen = new Set<string>();
  for (const value of values) {
    if (seen.has(value)) {
      throw new ZooError('invalid_arguments', `${list}: duplicate ${key} '${value}'`);
    }
    seen.add(value);
  }
}
