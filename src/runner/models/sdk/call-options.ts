import type {
  JSONObject,
  LanguageModelV3CallOptions,
  LanguageModelV3Message,
  LanguageModelV3ToolResultOutput,
} from '@ai-sdk/provider';
import type { AssistantPart, ModelMessage, ToolResultPart, UserPart } from '../../../contract/run.ts';
import { type BlockFile, describeBlock, describeEdit, describeFile, fileOf } from '../describe-block.ts';
import { type ModelRequest, THINKING_TOKENS } from '../model.ts';
import type { ModelFacts, Wire } from '../provider.ts';
import { answerSchema } from './answer-schema.ts';
import { parseMetadata } from './provider-metadata.ts';

/** A request in the terms of the SDK. */
export function callOptions(
  { wire, isLocal, model }: { wire: Wire; isLocal: boolean; model: string },
  request: ModelRequest,
  facts: ModelFacts,
): LanguageModelV3CallOptions {
  const { format, words, isStrict } = answerSchema({ wire, isLocal }, request);
  const thinking = thinkingOf(wire, model, request, isStrict);
  const prompt = request.messages.flatMap((message) => toSdkMessages(message, wire, facts));
  const last = prompt.at(-1);
  // In a run of several steps, everything up to here is sent again.
  if (last && request.tools.length > 0) Object.assign(last, cacheMark(wire));
  const system = [request.system, words].filter((text) => text !== '').join('\n\n');
  if (system !== '') prompt.unshift({ role: 'system', content: system, ...cacheMark(wire) });
  return {
    prompt,
    maxOutputTokens: request.maxOutputTokens + thinking.reserved,
    abortSignal: request.signal,
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...format,
    ...(request.tools.length > 0
      ? { tools: request.tools.map((tool) => ({ type: 'function' as const, ...tool })) }
      : {}),
    providerOptions: thinking.options,
  };
}

/** Anthropic caches up to a mark: everything before the conversation is stable. The others cache by themselves. */
function cacheMark(wire: Wire) {
  return wire === 'anthropic'
    ? { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } }
    : {};
}

interface Thinking {
  options: Record<string, JSONObject>;
  /** Providers count thoughts as output, so that a small limit would leave nothing for the answer. */
  reserved: number;
}

/** Claude models that take a number of tokens; newer ones take an effort. */
const TAKES_THINKING_BUDGET = /claude-3|claude-(opus|sonnet|haiku)-4(?!-[6-9])/;

function thinkingOf(
  wire: Wire,
  model: string,
  { effort }: ModelRequest,
  strictJsonSchema: boolean,
): Thinking {
  // Our history is complete, so nothing needs to be kept on the side of the provider.
  const openai = { store: false, strictJsonSchema };
  const openaiCompatible = { strictJsonSchema };
  if (!effort) {
    const options = {
      openai: { openai },
      'openai-compatible': { openaiCompatible },
      anthropic: {},
      google: {},
    };
    return { options: options[wire], reserved: 0 };
  }
  const budgetTokens = THINKING_TOKENS[effort];
  switch (wire) {
    case 'anthropic':
      // The SDK adds the budget to the limit by itself.
      return TAKES_THINKING_BUDGET.test(model) || !model.includes('claude')
        ? { options: { anthropic: { thinking: { type: 'enabled', budgetTokens } } }, reserved: 0 }
        : { options: { anthropic: { thinking: { type: 'adaptive' }, effort } }, reserved: budgetTokens };
    case 'openai':
      return {
        options: { openai: { ...openai, reasoningEffort: effort, reasoningSummary: 'auto' } },
        // The older models do not think, and refuse a limit above their own.
        reserved: /^gpt-[34]/.test(model) ? 0 : budgetTokens,
      };
    case 'google':
      return {
        options: { google: { thinkingConfig: { thinkingBudget: budgetTokens, includeThoughts: true } } },
        reserved: budgetTokens,
      };
    case 'openai-compatible':
    default:
      return { options: { openaiCompatible: { ...openaiCompatible, reasoningEffort: effort } }, reserved: 0 };
  }
}

function toSdkMessages(message: ModelMessage, wire: Wire, facts: ModelFacts): LanguageModelV3Message[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: message.parts.map((part) => toSdkUserPart(part, facts)) }];
    case 'assistant': {
      const parts = message.parts.filter((part) => isAccepted(part, wire));
      const content = parts.map((part) => toSdkPart(part, wire));
      // Without content, it would be refused.
      return content.length === 0 ? [] : [{ role: 'assistant', content }];
    }
    case 'tool':
    default:
      return toolMessages(message.parts, wire, facts);
  }
}

function toSdkUserPart(part: UserPart, facts: ModelFacts): SdkUserPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { mediaType, data, name } = part;
  const takes = mediaType === 'application/pdf' || (mediaType.startsWith('image/') && facts.images !== false);
  if (!takes) return { type: 'text', text: describeFile(part) };
  return { type: 'file', mediaType, data, ...(name ? { filename: name } : {}) };
}

type SdkUserPart = Extract<LanguageModelV3Message, { role: 'user' }>['content'][number];
type SdkAssistantPart = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number];

/** The providers that send data of their own with reasoning, and require it back. */
const SIGNING = ['anthropic', 'openai', 'google'] as const satisfies Wire[];

/** Anthropic refuses blank text. Reasoning of another provider, after a change of the model, is of no use. */
function isAccepted(part: AssistantPart, wire: Wire): boolean {
  if (part.type === 'text') return wire !== 'anthropic' || part.text.trim() !== '';
  if (part.type !== 'reasoning') return true;
  const { provider = {} } = part;
  const from = SIGNING.find((each) => Object.hasOwn(provider, each));
  // Some thoughts of Gemini come without.
  return from === undefined ? wire !== 'anthropic' && wire !== 'openai' : from === wire;
}

/** Ids of other providers, after a change of the model, may have characters that Anthropic refuses. */
const callId = (id: string, wire: Wire): string =>
  wire === 'anthropic' ? id.replaceAll(/[^\w-]/g, '_') : id;

function toSdkPart(part: AssistantPart, wire: Wire): SdkAssistantPart {
  if (part.type === 'file') return { type: 'file', mediaType: part.mediaType, data: part.data };
  const kept = part.provider ? { providerOptions: parseMetadata(part.provider) } : {};
  if (part.type !== 'tool-call') return { type: part.type, text: part.text, ...kept };
  const { name: toolName, input } = part;
  return { type: 'tool-call', toolCallId: callId(part.id, wire), toolName, input, ...kept };
}

function toolMessages(
  results: readonly ToolResultPart[],
  wire: Wire,
  facts: ModelFacts,
): LanguageModelV3Message[] {
  const read = results.map((result) => ({ result, output: readOutput(result, wire, facts) }));
  const inResult = wire !== 'openai-compatible';
  const tool: LanguageModelV3Message = {
    role: 'tool',
    content: read.map(({ result, output }) => ({
      type: 'tool-result',
      toolCallId: callId(result.id, wire),
      toolName: result.name,
      output: toSdkOutput(result, inResult ? output : { ...output, files: [] }),
    })),
  };
  // A tool message of Chat Completions holds text only, so images follow as a message of the user.
  const files = inResult ? [] : read.flatMap(({ output }) => output.files);
  if (files.length === 0) return [tool];
  const content = files.map((file): SdkUserPart => ({ type: 'file', ...file }));
  return [tool, { role: 'user', content: [{ type: 'text', text: IMAGES_FOLLOW }, ...content] }];
}

const IMAGES_FOLLOW = 'The images that the tools returned, in the same order:';

interface ToolOutput {
  /** Every block in words; files are named in their place. */
  text: string;
  files: readonly BlockFile[];
}

function readOutput(result: ToolResultPart, wire: Wire, facts: ModelFacts): ToolOutput {
  const { content, isError } = result;
  const read = content.map((block) => {
    const file = isError ? null : fileOf(block);
    const isShown = file !== null && takesFile(file, wire, facts);
    return { text: describeBlock(block, { isShown }), files: isShown ? [file] : [] };
  });
  const text = describeEdit(result) + read.map((block) => block.text).join('\n');
  return { text, files: read.flatMap(({ files }) => files) };
}

/** OpenAI-compatible servers reject images for models without vision, so only models known to have it get images. */
function takesFile({ mediaType }: BlockFile, wire: Wire, { images }: ModelFacts): boolean {
  if (wire === 'openai-compatible') return images === true && mediaType.startsWith('image/');
  return images !== false;
}

/** One text before the files: Gemini requires exactly one response per call. */
function toSdkOutput(
  { isError }: ToolResultPart,
  { text, files }: ToolOutput,
): LanguageModelV3ToolResultOutput {
  if (isError) return { type: 'error-text', value: text };
  if (files.length === 0) return { type: 'text', value: text };
  return {
    type: 'content',
    value: [
      { type: 'text', text },
      ...files.map(({ data, mediaType }) => ({
        type: mediaType.startsWith('image/') ? ('image-data' as const) : ('file-data' as const),
        data,
        mediaType,
      })),
    ],
  };
}
