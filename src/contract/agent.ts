import * as z from 'zod';
import { ToolInputSchema } from './parameters.ts';
import { duplicateNameProblems, publishedToolProblems } from './published/check-published-tool.ts';
import { ToolAnnotations } from './tool.ts';

export const RESERVED_IDS = ['team', 'current', 'new', 'api'] as const;
export const DEFAULT_CATEGORY = { id: 'general', name: 'General', description: '' } as const;

const idPattern = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$/;
const idMessage = 'must be 1 to 64 letters, digits, `-` or `_`, and begin and end with a letter or digit';

/** The id of a skill, a category or a published tool within its agent. */
export const PartId = z.string().regex(idPattern, idMessage);
export const AgentId = PartId.refine((id) => !RESERVED_IDS.some((reserved) => reserved === id), {
  message: `is reserved (${RESERVED_IDS.join(', ')})`,
});

export const AgentMode = z.enum(['interactive', 'autonomous', 'tools']);
export type AgentMode = z.infer<typeof AgentMode>;

export const ToolPermission = z.enum(['always', 'never', 'tool']);
/** Rules for single tools, by either form of their name. */
export const ToolApprovals = z.record(z.string(), z.enum(['allow', 'ask', 'deny']));

/** Where an agent comes from, in order of precedence. */
export const SourceKind = z.enum(['editor', 'toml', 'markdown', 'lua', 'typescript']);
export type SourceKind = z.infer<typeof SourceKind>;

const Name = z.string().trim().min(1, 'must not be empty').max(200);
const Text = z.string().max(500_000);

/** The colour of a category in the editor, by name: each theme has its own shade of it. */
export const CategoryColor = z.enum([
  'clay',
  'ochre',
  'olive',
  'leaf',
  'sea',
  'sky',
  'iris',
  'plum',
  'rose',
  'stone',
]);
export type CategoryColor = z.infer<typeof CategoryColor>;

export const SkillCategory = z.strictObject({
  id: PartId,
  name: Name,
  description: Text,
  color: CategoryColor.optional(),
});
export type SkillCategory = z.infer<typeof SkillCategory>;
export const SkillCategoryInput = z.strictObject({
  id: PartId.optional(),
  name: Name,
  description: Text.optional(),
  color: CategoryColor.optional(),
});
/** Moves an item before the one with this id, or to the end if null. */
const Before = PartId.nullable().optional();
export const SkillCategoryPatch = z.strictObject({
  name: Name.optional(),
  description: Text.optional(),
  color: CategoryColor.optional(),
  before: Before,
});

export const Skill = z.strictObject({
  id: PartId,
  name: Name,
  description: Text,
  enabled: z.boolean(),
  categoryId: PartId,
  /** Skills that it builds on: enabling it enables them too. */
  requires: z.array(PartId).optional(),
});
export type Skill = z.infer<typeof Skill>;
export const SkillInput = z.strictObject({
  id: PartId.optional(),
  name: Name,
  description: Text.optional(),
  enabled: z.boolean().optional(),
  categoryId: PartId.optional(),
  requires: z.array(PartId).optional(),
});
export const SkillPatch = z.strictObject({
  name: Name.optional(),
  description: Text.optional(),
  enabled: z.boolean().optional(),
  categoryId: PartId.optional(),
  requires: z.array(PartId).optional(),
  before: Before,
});

export const AgentArgument = z.strictObject({
  name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, 'must be a name of letters, digits, `_` and `-`'),
  description: z.string(),
  required: z.boolean(),
  default: z.string().optional(),
});
export type AgentArgument = z.infer<typeof AgentArgument>;
export const AgentArgumentInput = AgentArgument.partial({ description: true, required: true });

/** Knowledge without a script: a query whose best passages are put into the prompt. */
export const ContextQuery = z.strictObject({
  query: z.string().min(1),
  mode: z.enum(['keyword', 'semantic', 'hybrid']).optional(),
  limit: z.int().min(1).max(100).optional(),
  source: z.string().optional(),
});
export type ContextQuery = z.infer<typeof ContextQuery>;

const ToolName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, `_` or `-`, as MCP requires');
const toolOptions = {
  /** The shape of `structuredContent`; the model answers in it. */
  output: ToolInputSchema.optional(),
  annotations: ToolAnnotations.partial().strict().optional(),
  /** Seconds during which an identical call returns the cached result; off by default. */
  cache: z.number().min(0).max(31_536_000).optional(),
  /** With `shared`, a call that passes back a `contextId` continues that conversation. */
  context: z.enum(['isolated', 'shared']).optional(),
  version: z.string().min(1).max(64).optional(),
  /** Tools in the agent's scope, or knowledge sources, that must be available for the tool to be offered. */
  requires: z.array(z.string().min(1)).optional(),
};
export const PublishedTool = z.strictObject({
  id: PartId,
  name: ToolName,
  description: Text,
  parameters: ToolInputSchema,
  prompt: Text,
  ...toolOptions,
});
export type PublishedTool = z.infer<typeof PublishedTool>;
const publishedToolFields = z.strictObject({
  id: PartId.optional(),
  name: ToolName,
  description: Text.optional(),
  parameters: ToolInputSchema.optional(),
  prompt: Text,
  ...toolOptions,
});
export const PublishedToolPatch = publishedToolFields.omit({ id: true }).partial();
export const PublishedToolInput = publishedToolFields.superRefine((tool, { addIssue }) => {
  for (const problem of publishedToolProblems(tool)) addIssue({ code: 'custom', ...problem });
});
export const PublishedToolInputs = z.array(PublishedToolInput).superRefine((tools, { addIssue }) => {
  for (const problem of duplicateNameProblems(tools)) addIssue({ code: 'custom', ...problem });
});

/** A skill as other agents see it on the A2A card. */
export const A2ASkill = z.strictObject({
  id: PartId,
  name: Name,
  description: z.string().max(10_000).optional(),
  tags: z.array(z.string().min(1)).optional(),
  examples: z.array(z.string().min(1)).optional(),
});
export type A2ASkill = z.infer<typeof A2ASkill>;

/**
 * The author's fields, except for lists whose items get generated ids. No defaults, so that a patch stays a patch.
 */
const scalars = {
  name: Name,
  description: z.string().max(10_000),
  version: z.string().min(1).max(64),
  mode: AgentMode,
  systemPrompt: Text,
  tools: z.array(z.string().min(1)).nullable(),
  sources: z.array(z.string().min(1)).nullable(),
  context: z.array(ContextQuery),
  contextRefs: z.array(z.string().min(1)),
  /** Token limit for documents; null for the default in the config. */
  contextTokens: z.int().min(0).max(1_000_000).nullable(),
  /** `provider/model`, a model name of another tool, or a list with fallbacks; null for the default. */
  model: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(8)]).nullable(),
  toolPermission: ToolPermission,
  toolApprovals: ToolApprovals,
  /** Replace its own skills on its A2A card. */
  a2aSkills: z.array(A2ASkill).optional(),
  appearanceSeed: z.string().max(200),
  metadata: z.record(z.string(), z.unknown()),
};

export const AgentDefinition = z.strictObject({
  ...scalars,
  skillCategories: z.array(SkillCategory),
  skills: z.array(Skill),
  arguments: z.array(AgentArgument),
  publishedTools: z.array(PublishedTool),
});
export type AgentDefinition = z.infer<typeof AgentDefinition>;

/** A partial definition, as written by an author. Ids of items and fields with defaults are optional. */
export const AgentPatch = z
  .strictObject({
    ...scalars,
    skillCategories: z.array(SkillCategoryInput),
    skills: z.array(SkillInput),
    arguments: z.array(AgentArgumentInput),
    publishedTools: PublishedToolInputs,
  })
  .partial();
export type AgentPatch = z.infer<typeof AgentPatch>;

export const AgentInput = AgentPatch.extend({ name: Name });
export type AgentInput = z.infer<typeof AgentInput>;

/** The file and line an agent was read from. */
export const Origin = z.strictObject({ path: z.string(), line: z.int().min(1).optional() });
export type Origin = z.infer<typeof Origin>;

export const Agent = AgentDefinition.extend({
  id: AgentId,
  source: SourceKind,
  origin: Origin.nullable(),
  /** Counts the edits of an agent in the editor; 0 for agents in files. */
  revision: z.int().min(0),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Agent = z.infer<typeof Agent>;

/** A saved agent with warnings, such as misspelt tools or undeclared placeholders. */
export const SavedAgent = Agent.extend({ warnings: z.array(z.string()).optional() });
export type SavedAgent = z.infer<typeof SavedAgent>;

/** The fixed token cost of an agent for a client. */
export const AgentTokens = z.strictObject({
  /** Persona and skills. */
  prompt: z.int().min(0),
  /** The tools, as served to a client. */
  tools: z.int().min(0),
});
export type AgentTokens = z.infer<typeof AgentTokens>;

/** A row of the agent list. */
export const AgentSummary = z.strictObject({
  id: AgentId,
  name: z.string(),
  description: z.string(),
  version: z.string(),
  mode: AgentMode,
  tools: z.array(z.string()).nullable(),
  arguments: z.array(AgentArgument),
  appearanceSeed: z.string(),
  source: SourceKind,
  origin: Origin.nullable(),
  revision: z.int().min(0),
  updatedAt: z.string(),
  deletedAt: z.string().nullable(),
  /** Definitions with the same id that this one overrides. */
  shadows: z.array(z.strictObject({ source: SourceKind, origin: Origin.nullable() })),
  /** False if its definition is unknown because the workspace is not trusted and the agent's program may not run. */
  trusted: z.boolean(),
  /** The error in its file, while the last good version is served. */
  stale: z.string().optional(),
  /** Shown first: `default_agent` or `suggested` in `[workspace]` of the config. */
  featured: z.enum(['default', 'suggested']).optional(),
  /** Only if requested. */
  tokens: AgentTokens.optional(),
});
export type AgentSummary = z.infer<typeof AgentSummary>;

/** The shape of seed 002 §4.1: `name` is the id, `title` the display name. */
export const AgentInfo = z.strictObject({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  tools: z.array(z.string()),
  source: SourceKind,
  arguments: z.array(AgentArgument),
});
export type AgentInfo = z.infer<typeof AgentInfo>;
