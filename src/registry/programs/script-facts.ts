import * as z from 'zod';
import { AgentArgumentInput, type AgentInput, AgentMode } from '../../contract/agent.ts';
import { meantIssue, renderPath, sentence } from '../../contract/parsing/issue-words.ts';
import { knownKeys, suggestKey } from '../../contract/parsing/known-keys.ts';
import type { Json } from '../../scripting/sandbox.ts';

const texts = z.array(z.string().min(1, 'must not be empty'));

/** The description of an agent by its script or module. */
const Facts = z.strictObject({
  name: z.string().trim().min(1, 'must not be empty').max(200).optional(),
  description: z.string().max(10_000).optional(),
  version: z.string().min(1).max(64).optional(),
  mode: AgentMode.optional(),
  tools: texts.optional(),
  sources: texts.optional(),
  arguments: z.array(AgentArgumentInput.loose()).optional(),
  model: z.string().min(1).optional(),
});

/** The result of a program. */
export const ProgramAnswer = z.looseObject({
  system: z.string(),
  tools: texts.optional(),
  messages: z
    .array(z.looseObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))
    .optional(),
});
export type ProgramAnswer = z.infer<typeof ProgramAnswer>;

/** Lua counts from one. */
export type FirstIndex = 0 | 1;

interface Parsed<T> {
  value: T | null;
  /** Error messages, each with its field. */
  errors: string[];
  warnings: { message: string; hint: string }[];
}

/** Functions and keys that begin with `_` are the author's own. */
export function parseFacts(table: Record<string, Json>, id: string, first: FirstIndex): Parsed<AgentInput> {
  const given = Object.fromEntries(
    Object.entries(table).filter(
      ([key, value]) => !key.startsWith('_') && key !== 'resolve' && value !== null,
    ),
  );
  const known = knownKeys(Facts, []);
  const unknown = Object.keys(given).filter((key) => !known.includes(key));
  for (const key of unknown) delete given[key];
  const { value, errors } = parseWith(Facts, given, first);
  const warnings = unknown.map((key) => ({
    message: `unknown field ${renderPath([key])}; it is ignored`,
    hint: suggestKey(key, known),
  }));
  if (!value) return { value: null, errors, warnings };
  const { arguments: args, ...facts } = value;
  const declared = args?.map(({ name, description, required, default: fallback }) => ({
    name,
    description,
    required,
    default: fallback,
  }));
  return { value: { ...facts, name: facts.name ?? id, arguments: declared }, errors, warnings };
}

export function parseAnswer(value: Json, first: FirstIndex): Parsed<ProgramAnswer> {
  const known = knownKeys(ProgramAnswer, []);
  const given =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  const warnings = given
    .filter((key) => !known.includes(key))
    .map((key) => ({
      message: `unknown field ${renderPath([key])} is ignored`,
      hint: suggestKey(key, known),
    }));
  return { ...parseWith(ProgramAnswer, value, first), warnings };
}

function parseWith<S extends z.ZodType>(schema: S, given: unknown, first: FirstIndex): Parsed<z.output<S>> {
  const result = schema.safeParse(given);
  if (result.success) return { value: result.data, errors: [], warnings: [] };
  return {
    value: null,
    errors: result.error.issues.map((issue) => words(issue, given, first)),
    warnings: [],
  };
}

function words(issue: z.core.$ZodIssue, root: unknown, first: FirstIndex): string {
  const { path, words: rest } = meantIssue(issue, { root, notation: 'toml' });
  if (path.length === 0) {
    return `it must return a table with \`system\`, not ${JSON.stringify(root)?.slice(0, 60)}`;
  }
  const counted = path.map((part) => (typeof part === 'number' ? part + first : part));
  return sentence(renderPath(counted), rest);
}
