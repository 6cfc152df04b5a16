import { randomUUID } from 'node:crypto';
import type { LanguageModelV3StreamPart, LanguageModelV3Usage } from '@ai-sdk/provider';
import type { AssistantPart } from '../../../contract/run.ts';
import { type FinishReason, type ModelAnswer, type ModelDelta, ModelFailure } from '../model.ts';
import { isTooDeep } from '../../../platform/text/json-depth.ts';
import { parseMetadata } from './provider-metadata.ts';

type Chunk<T extends LanguageModelV3StreamPart['type']> = Extract<LanguageModelV3StreamPart, { type: T }>;

/** Reads a stream up to its `finish`. A truncated stream is a failure, even if text has arrived. */
export async function collectAnswer(
  stream: ReadableStream<LanguageModelV3StreamPart>,
  onDelta: (delta: ModelDelta) => void,
): Promise<ModelAnswer> {
  const reader = stream.getReader();
  try {
    const answer = await readAnswer(reader, onDelta);
    drain(reader).catch(() => undefined);
    return answer;
  } catch (error) {
    reader.cancel().catch(() => undefined);
    throw error;
  }
}

type Reader = ReadableStreamDefaultReader<LanguageModelV3StreamPart>;

/** Servers end their answer right after it. */
const DRAIN_MS = 1_000;

/** The connection can be used again once all of the answer was read. A server that does not end it is not waited for. */
async function drain(reader: Reader): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), DRAIN_MS).unref();
  try {
    while (!(await reader.read()).done);
  } finally {
    clearTimeout(timer);
  }
}

async function readAnswer(reader: Reader, onDelta: (delta: ModelDelta) => void): Promise<ModelAnswer> {
  const answer = createParts(onDelta);
  const warnings: string[] = [];
  let end: Chunk<'finish'> | undefined;

  while (!end) {
    const { done, value: chunk } = await reader.read();
    if (done) break;
    switch (chunk.type) {
      case 'stream-start':
        warnings.push(...chunk.warnings.map(describeWarning));
        break;
      case 'text-start':
        answer.start('text', chunk.id);
        break;
      case 'text-delta':
        answer.extend('text', chunk.id, chunk.delta);
        break;
      case 'text-end':
        answer.keep('text', chunk.id, chunk.providerMetadata);
        break;
      case 'reasoning-start':
        answer.start('reasoning', chunk.id);
        answer.keep('reasoning', chunk.id, chunk.providerMetadata);
        break;
      case 'reasoning-delta':
        answer.extend('reasoning', chunk.id, chunk.delta);
        answer.keep('reasoning', chunk.id, chunk.providerMetadata);
        break;
      case 'reasoning-end':
        answer.keep('reasoning', chunk.id, chunk.providerMetadata);
        break;
      case 'tool-input-delta':
        onDelta({ type: 'tool-input', text: chunk.delta });
        break;
      case 'tool-call':
        answer.addCall(chunk);
        break;
      case 'file':
        answer.addFile(chunk);
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
      case 'tool-input-end':
      case 'tool-result':
        break;
    }
  }
  if (!end || end.finishReason.unified === 'error') {
    throw new ModelFailure('broken-stream', "The model's response was cut off.");
  }
  return {
    parts: answer.parts.filter((part) => !(part.type === 'text' && part.text === '')),
    finish: finishOf(end.finishReason.unified),
    usage: usageOf(end.usage),
    warnings,
  };
}

function describeWarning(warning: Chunk<'stream-start'>['warnings'][number]): string {
  if (warning.type === 'other') return warning.message;
  const about = warning.details ? `: ${warning.details}` : '';
  const problem =
    warning.type === 'unsupported' ? 'is not supported by this model' : 'works differently here';
  return `The setting '${warning.feature}' ${problem}${about}`;
}

/** The parts of an answer as they arrive. Texts and reasoning grow; several may be open at once, each with an id. */
function createParts(onDelta: (delta: ModelDelta) => void) {
  const parts: AssistantPart[] = [];
  const open = new Map<string, number>();

  return {
    parts,
    start(type: 'text' | 'reasoning', id: string): void {
      open.set(`${type} ${id}`, parts.push({ type, text: '' }) - 1);
    },
    extend(type: 'text' | 'reasoning', id: string, text: string): void {
      const index = open.get(`${type} ${id}`);
      const part = index === undefined ? undefined : parts[index];
      if (index === undefined || part?.type !== type || text === '') return;
      onDelta({ type, part: index, offset: part.text.length, text });
      part.text += text;
    },
    keep(type: 'text' | 'reasoning', id: string, provider: unknown): void {
      const part = parts[open.get(`${type} ${id}`) ?? -1];
      if (provider && part && part.type === type) part.provider = parseMetadata(provider);
    },
    addCall({ toolCallId, toolName: name, input: text, providerMetadata }: Chunk<'tool-call'>): void {
      // Some servers send empty ids, or the same id for all calls. Approvals and results belong to one call.
      const isTaken = parts.some((part) => part.type === 'tool-call' && part.id === toolCallId);
      const id = toolCallId === '' || isTaken ? `call_${randomUUID()}` : toolCallId;
      const input = parseInput(text);
      const provider = providerMetadata ? { provider: parseMetadata(providerMetadata) } : {};
      const count = parts.push({ type: 'tool-call', id, name, input, ...provider });
      onDelta({ type: 'tool-call', part: count - 1, id, name, input });
    },
    addFile({ mediaType, data }: Chunk<'file'>): void {
      if (typeof data === 'string') parts.push({ type: 'file', mediaType, data });
    },
  };
}

function parseInput(text: string): unknown {
  if (text.trim() === '') return {};
  if (isTooDeep(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    // Passed on unchanged: the run tells the model what is wrong with it.
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
