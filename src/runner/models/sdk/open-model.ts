import {
  APICallError,
  type JSONObject,
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3Message,
  type LanguageModelV3StreamPart,
  type LanguageModelV3ToolResultOutput,
  type LanguageModelV3Usage,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';
import * as z from 'zod';
import type { AssistantPart, ModelMessage, ToolResultPart } from '../../contract/run.ts';
import type { ContentBlock } from '../../contract/tool.ts';
import { messageOf } from '../../platform/text/error-message.ts';
import { describeBlock, describeFile, imageOf } from './describe-block.ts';
import {
  type FinishReason,
  type Model,
  type ModelAnswer,
  type ModelDelta,
  ModelFailure,
  type ModelRequest,
} from './model.ts';
import type { ConfiguredProvider, ModelFacts, Wire } from './provider.ts';
import { parseRetryAfter } from '../../platform/text/retry-after.ts';

/**
 * The one file that knows the model SDK. It uses the SDK's provider layer and not its agent loop: a run stores every
 * step, reserves its budget before each request and may wait for a person in between, so the loop has to be ours.
 */
export async function openModel(
  provider: ConfiguredProvider,
  name: string,
  facts: ModelFacts,
): Promise<Model> {
  const sdk = await loaders[provider.wire](provider, name);
  return {
    id: `${provider.name}/${name}`,
    provider: provider.name,
    name,
    facts,
    async answer(request, onDelta) {
      try {
        const { stream } = await sdk.doStream(callOptions(provider.wire, request, facts));
        return await collect(stream, onDelta);
      } catch (error) {
        request.signal.throwIfAborted();
        throw asFailure(error, provider);
      }
    },
  };
}

type Load = (provider: ConfiguredProvider, model: string) => Promise<LanguageModelV3>;

/** Loaded when first used: each SDK takes tens of milliseconds to load. */
const loaders: Record<Wire, Load> = {
  anthropic: async (provider, model) =>
    (await import('@ai-sdk/anthropic')).createAnthropic(settings(provider))(model),
  openai: async (provider, model) =>
    (await import('@ai-sdk/openai')).createOpenAI(settings(provider)).responses(model),
  google: async (provider, model) =>
    (await import('@ai-sdk/google')).createGoogleGenerativeAI(settings(provider))(model),
  'openai-compatible': async (provider, model) =>
    (await import('@ai-sdk/openai-compatible')).createOpenAICompatible({
      ...settings(provider),
      name: provider.name,
      includeUsage: true,
    })(model),
};

function settings({ baseUrl, apiKey, headers }: ConfiguredProvider) {
  // The SDKs fall back to variables of the hub's own environment unless they are given a key.
  return { baseURL: baseUrl, apiKey: apiKey ?? '', headers: { ...headers } };
}

function callOptions(wire: Wire, request: ModelRequest, facts: ModelFacts): LanguageModelV3CallOptions {
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
  const kept = part.provider ? { providerOptions: toJson(part.provider) } : {};
  if (part.type !== 'tool-call') return { type: part.type, text: part.text, ...kept };
  return { type: 'tool-call', toolCallId: part.id, toolName: part.name, input: part.input, ...kept };
}

const Metadata = z.record(z.string(), z.record(z.string(), z.json()));

/** What a provider gave us came as JSON and goes back as such. */
function toJson(value: unknown): Record<string, JSONObject> {
  return Metadata.parse(JSON.parse(JSON.stringify(value)));
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

/** Reads a stream to its end. A stream without a proper end is a failure, whatever had arrived. */
async function collect(
  stream: ReadableStream<LanguageModelV3StreamPart>,
  onDelta: (delta: ModelDelta) => void,
): Promise<ModelAnswer> {
  const parts: AssistantPart[] = [];
  const open = new Map<string, number>();
  const warnings: string[] = [];
  let end: Extract<LanguageModelV3StreamPart, { type: 'finish' }> | undefined;

  const begin = (type: 'text' | 'reasoning', id: string) => {
    open.set(`${type} ${id}`, parts.push({ type, text: '' }) - 1);
  };
  const extend = (type: 'text' | 'reasoning', id: string, text: string) => {
    const index = open.get(`${type} ${id}`);
    const part = index === undefined ? undefined : parts[index];
    if (index === undefined || part?.type !== type || text === '') return;
    onDelta({ type, part: index, offset: part.text.length, text });
    part.text += text;
  };
  const keep = (type: 'text' | 'reasoning', id: string, provider: unknown) => {
    const part = parts[open.get(`${type} ${id}`) ?? -1];
    if (provider && part && part.type === type) part.provider = toJson(provider);
  };

  for await (const chunk of stream) {
    switch (chunk.type) {
      case 'stream-start':
        warnings.push(
          ...chunk.warnings.map((warning) => ('message' in warning && warning.message) || warning.type),
        );
        break;
      case 'text-start':
        begin('text', chunk.id);
        break;
      case 'text-delta':
        extend('text', chunk.id, chunk.delta);
        break;
      case 'text-end':
        keep('text', chunk.id, chunk.providerMetadata);
        break;
      case 'reasoning-start':
        begin('reasoning', chunk.id);
        keep('reasoning', chunk.id, chunk.providerMetadata);
        break;
      case 'reasoning-delta':
        extend('reasoning', chunk.id, chunk.delta);
        keep('reasoning', chunk.id, chunk.providerMetadata);
        break;
      case 'reasoning-end':
        keep('reasoning', chunk.id, chunk.providerMetadata);
        break;
      case 'tool-call': {
        const input = parseInput(chunk.input);
        const part = parts.push({
          type: 'tool-call',
          id: chunk.toolCallId,
          name: chunk.toolName,
          input,
          ...(chunk.providerMetadata ? { provider: toJson(chunk.providerMetadata) } : {}),
        });
        onDelta({ type: 'tool-call', part: part - 1, id: chunk.toolCallId, name: chunk.toolName, input });
        break;
      }
      case 'file':
        if (typeof chunk.data === 'string')
          parts.push({ type: 'file', mediaType: chunk.mediaType, data: chunk.data });
        break;
      case 'error':
        throw chunk.error;
      case 'finish':
        end = chunk;
        break;
      case 'raw':
      case 'response-metadata':
      case 'source':
      case 'tool-approval-request':
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-input-end':
      case 'tool-result':
        break;
    }
  }
  if (!end || end.finishReason.unified === 'error') {
    throw new ModelFailure('broken-stream', "The model's response was cut off.");
  }
  return {
    parts: parts.filter((part) => !(part.type === 'text' && part.text === '')),
    finish: finishOf(end.finishReason.unified),
    usage: usageOf(end.usage),
    warnings,
  };
}

function parseInput(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    // Handed on as it is: the run tells the model what was wrong with it.
    return text;
  }
}

function finishOf(reason: string): FinishReason {
  if (reason === 'content-filter') return 'refusal';
  return reason === 'stop' || reason === 'tool-calls' || reason === 'length' ? reason : 'other';
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV3Usage): ModelAnswer['usage'] {
  return {
    inputTokens: inputTokens.total ?? 0,
    cachedTokens: inputTokens.cacheRead ?? 0,
    cacheWriteTokens: inputTokens.cacheWrite ?? 0,
    outputTokens: outputTokens.total ?? 0,
    reasoningTokens: outputTokens.reasoning ?? 0,
  };
}

const OVERFLOW =
  /context.{0,20}(length|window|limit)|too many (input )?tokens|prompt is too long|maximum.{0,20}tokens/i;

function asFailure(error: unknown, { title, apiKey }: ConfiguredProvider): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const plain = messageOf(error);
  const reason = apiKey ? plain.replaceAll(apiKey, '[key]') : plain;
  if (UnsupportedFunctionalityError.isInstance(error))
    return new ModelFailure('fatal', `${title} cannot take this request: ${reason}`);
  if (!APICallError.isInstance(error)) {
    return new ModelFailure('broken-stream', `The connection to ${title} broke: ${reason}`);
  }
  const { statusCode: status = 0, responseHeaders = {}, responseBody = '' } = error;
  if (status >= 200 && status < 300) {
    return new ModelFailure(
      'broken-stream',
      `The answer of ${title} broke off: ${messageOf(error.cause ?? error)}`,
    );
  }
  if (status === 429) {
    return new ModelFailure(
      'rate-limit',
      `${title} reached its rate limit (429): ${reason}`,
      parseRetryAfter(responseHeaders['retry-after']),
    );
  }
  if (status >= 500 || status === 408 || status === 0) {
    return new ModelFailure(
      'overloaded',
      `${title} failed (${status || 'no connection'}): ${reason}`,
      parseRetryAfter(responseHeaders['retry-after']),
    );
  }
  if (OVERFLOW.test(reason) || OVERFLOW.test(responseBody.slice(0, 4_000))) {
    return new ModelFailure('context-overflow', `The conversation is too long for this model: ${reason}`);
  }
  const advice = status === 401 || status === 403 ? ' Check the key of this provider (zoo providers).' : '';
  return new ModelFailure('fatal', `${title} refused the request (${status}): ${reason}${advice}`);
}
