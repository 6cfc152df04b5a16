import type { LanguageModelV3CallOptions } from '@ai-sdk/provider';
import type { ModelRequest } from '../model.ts';
import type { ConfiguredProvider } from '../provider.ts';

type Schema = Readonly<Record<string, unknown>>;

/** How a model learns the schema of its answer. */
export interface AnswerSchema {
  format: Pick<LanguageModelV3CallOptions, 'responseFormat'>;
  /** Follows the system prompt; empty if the format says it. */
  words: string;
  /** Whether OpenAI's strict mode takes the schema. */
  isStrict: boolean;
}

/**
 * Gemini refuses a JSON format together with tools, and Ollama, which enforces one, keeps the model from calling any.
 * Other OpenAI-compatible servers may refuse a schema, as DeepSeek does, or JSON without one, as LM Studio does. These
 * are told in words; every answer is checked anyway.
 */
export function answerSchema(
  { wire, isLocal }: Pick<ConfiguredProvider, 'wire' | 'isLocal'>,
  { outputSchema, tools }: ModelRequest,
): AnswerSchema {
  if (!outputSchema) return { format: {}, words: '', isStrict: false };
  const isStrict = fitsStrictMode(outputSchema);
  const hasTools = tools.length > 0;
  const inWords = wire === 'google' ? hasTools : wire === 'openai-compatible' && (hasTools || !isLocal);
  if (inWords) {
    const words = `Your final answer is JSON that fits this JSON Schema, without a fence or any other text:\n${JSON.stringify(outputSchema)}`;
    return { format: {}, words, isStrict };
  }
  return {
    format: { responseFormat: { type: 'json', name: 'answer', schema: outputSchema } },
    words: '',
    isStrict,
  };
}

/** Other keywords may be refused there. */
const STRICT_KEYWORDS = new Set(
  'type title description enum const properties required additionalProperties items'.split(' '),
);

/** Strict mode takes objects only if all their properties are required, and no others allowed. */
function fitsStrictMode(schema: unknown): boolean {
  if (!isSchema(schema) || !Object.keys(schema).every((key) => STRICT_KEYWORDS.has(key))) return false;
  const { type, properties = {}, required, additionalProperties, items } = schema;
  if (items !== undefined && !fitsStrictMode(items)) return false;
  if (type !== 'object') return true;
  return (
    additionalProperties === false &&
    isSchema(properties) &&
    Object.entries(properties).every(
      ([name, each]) => Array.isArray(required) && required.includes(name) && fitsStrictMode(each),
    )
  );
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
