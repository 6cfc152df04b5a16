import type {
  JSONObject,
  LanguageModelV3CallOptions,
  LanguageModelV3Message,
  LanguageModelV3ToolResultOutput,
} from '@ai-sdk/provider';
import type { AssistantPart, ModelMessage, ToolResultPart } from '../../../contract/run.ts';
import type { ContentBlock } from '../../../contract/tool.ts';
import { describeBlock, describeFile, imageOf } from '../describe-block.ts';
import type { ModelRequest } from '../model.ts';
import type { ModelFacts, Wire } from '../provider.ts';
import { parseMetadata } from './provider-metadata.ts';

/** A request in the terms of the SDK. */
export function callOptions(
  wire: Wire,
  request: ModelRequest,
  facts: ModelFacts,
): LanguageModelV3CallOptions {
  const seesImages = facts.images !== false;
  const prompt = request.messages.map((message) => toSdkMessage(message, seesImages));
  const last = prompt.at(-1);
  // In a run of several steps, everything up to here comes again.
  if (last && request.tools.length > 0) Object.assign(last, cacheMark(wire));
  if (request.system !== '') {
    prompt.unshift({ role: 'system', content: request.system, ...cacheMark(wire) });
  }
  return {
    prompt,
    maxOutputTokens: request.maxOutputTokens,
    abortSignal: request.signal,
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.outputSchema
      ? { responseFormat: { type: 'json', name: 'answer', schema: request.outputSchema } }
      : {}),
    ...(request.tools.length > 0
      ? { tools: request.tools.map((tool) => ({ type: 'function' as const, ...tool })) }
      : {}),
    providerOptions: effortOptions(wire, request),
  };
}

/** Anthropic caches up to a mark: everything before the conversation is stable. The others cache by themselves. */
function cacheMark(wire: Wire) {
  return wire === 'anthropic'
    ? { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } }
    : {};
}

const THINKING_TOKENS = { low: 2_000, medium: 8_000, high: 24_000 };

function effortOptions(wire: Wire, { effort }: ModelRequest): Record<string, JSONObject> {
  // Our history is complete, so nothing needs to be kept on the side of the provider.
  const openai = { store: false };
  if (!effort) return wire === 'openai' ? { openai } : {};
  const budgetTokens = THINKING_TOKENS[effort];
  switch (wire) {
    case 'anthropic':
      return { anthropic: { thinking: { type: 'enabled', budgetTokens } } };
    case 'openai':
      return { openai: { ...openai, reasoningEffort: effort, reasoningSummary: 'auto' } };
    case 'google':
      return { google: { thinkingConfig: { thinkingBudget: budgetTokens, includeThoughts: true } } };
    case 'openai-compatible':
    default:
      return { openaiCompatible: { reasoningEffort: effort } };
  }
}

function toSdkMessage(message: ModelMessage, seesImages: boolean): LanguageModelV3Message {
  switch (message.role) {
    case 'user':
      return {
        role: 'user',
        content: message.parts.map((part) => {
          if (part.type === 'text') return { type: 'text', text: part.text };
          const { mediaType, data, name } = part;
          const takes = mediaType === 'application/pdf' || (mediaType.startsWith('image/') && seesImages);
          if (!takes) return { type: 'text', text: describeFile(part) };
          return { type: 'file', mediaType, data, ...(name ? { filename: name } : {}) };
        }),
      };
    case 'assistant':
      return { role: 'assistant', content: message.parts.map(toSdkPart) };
    case 'tool':
    default:
      return {
        role: 'tool',
        content: message.parts.map((part) => ({
          type: 'tool-result',
          toolCallId: part.id,
          toolName: part.name,
          output: toSdkOutput(part, seesImages),
        })),
      };
  }
}

type SdkAssistantPart = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number];

function toSdkPart(part: AssistantPart): SdkAssistantPart {
  if (part.type === 'file') return { type: 'file', mediaType: part.mediaType, data: part.data };
  const kept = part.provider ? { providerOptions: parseMetadata(part.provider) } : {};
  if (part.type !== 'tool-call') return { type: part.type, text: part.text, ...kept };
  return { type: 'tool-call', toolCallId: part.id, toolName: part.name, input: part.input, ...kept };
}

function toSdkOutput(
  { content, isError }: ToolResultPart,
  seesImages: boolean,
): LanguageModelV3ToolResultOutput {
  const isPicture = (block: ContentBlock) => seesImages && !isError && imageOf(block) !== null;
  if (!content.some(isPicture)) {
    const value = content.map(describeBlock).join('\n');
    return { type: isError ? 'error-text' : 'text', value };
  }
  return {
    type: 'content',
    value: content.map((block) => {
      const image = imageOf(block);
      return image ? { type: 'image-data', ...image } : { type: 'text', text: describeBlock(block) };
    }),
  };
}
