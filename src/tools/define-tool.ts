import * as z from 'zod';
import { DONE_ONCE } from '../contract/offers/once-meta.ts';
import { parse } from '../contract/parsing/parse.ts';
import type { Tool, ToolCall, ToolResult } from '../contract/tool.ts';

type JsonSchema = Record<string, unknown>;

/** The description of a built-in tool. */
export interface ToolWords {
  name: string;
  title: string;
  description: string;
  properties: Record<string, JsonSchema>;
  required: readonly string[];
  /** The properties of its structured result; a trailing `?` marks an optional one. */
  answers: Record<string, JsonSchema>;
  effect: keyof typeof EFFECTS;
}

/** Annotations by effect. */
const EFFECTS = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  /** Read-only, but may contact other machines. */
  fetches: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  sets: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  replaces: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  deletes: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
} as const;

/** Claude Code hides tools behind a search unless they ask to be loaded. */
const META = { 'anthropic/alwaysLoad': true };
const WRITING_META = { ...META, [DONE_ONCE]: true };

function refusesUnknown(input: z.ZodType): boolean {
  return input instanceof z.ZodObject && input.def.catchall instanceof z.ZodNever;
}

/** A built-in tool. The JSON Schema is for models and error messages; `input` validates. */
export function defineTool<S extends z.ZodType>(
  words: ToolWords,
  input: S,
  execute: (args: z.output<S>, call: ToolCall) => Promise<ToolResult>,
): Tool {
  const { name, title, description, properties, required, answers, effect } = words;
  return {
    descriptor: {
      name,
      displayName: name,
      title,
      description,
      origin: 'builtin',
      inputSchema: {
        type: 'object',
        properties,
        required: [...required],
        ...(refusesUnknown(input) ? { additionalProperties: false } : {}),
      },
      outputSchema: {
        type: 'object',
        properties: Object.fromEntries(Object.entries(answers).map(([key, schema]) => [bare(key), schema])),
        required: Object.keys(answers).filter((key) => !key.endsWith('?')),
      },
      annotations: EFFECTS[effect],
      meta: EFFECTS[effect].readOnlyHint ? META : WRITING_META,
    },
    execute: async (args, call) => execute(parse(input, args), call),
  };
}

const bare = (key: string): string => key.replace(/\?$/, '');

/** A value as structured content and as text. */
export function jsonResult(value: Record<string, unknown>): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value, null, 2) }], structuredContent: value };
}

/** A sentence for the model, with its facts as structured content. */
export function confirmation(message: string, facts: Record<string, unknown>): ToolResult {
  return { content: [{ type: 'text', text: message }], structuredContent: { message, ...facts } };
}
