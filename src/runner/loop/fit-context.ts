import type { ModelMessage, ToolResultPart } from '../../contract/run.ts';
import { describeBlock } from '../models/describe-block.ts';
import { messageTokens } from './message-tokens.ts';

/** The last messages stay whole: the model is working with them. */
const KEPT_MESSAGES = 4;
const KEPT_CHARACTERS = 600;

export interface FitOptions {
  countTokens(text: string): number;
  /** The token limit for the messages. */
  room: number;
  /** Asks the model for a summary of these messages. */
  summarise(messages: readonly ModelMessage[]): Promise<string>;
}

export interface FittedContext {
  messages: readonly ModelMessage[];
  /** A description of what was dropped; null if everything fitted. */
  note: string | null;
}

/**
 * Keeps a conversation within the window: older tool results are shortened first, and if that is not enough, older
 * messages give way to a summary by the same model.
 */
export async function fitContext(
  messages: readonly ModelMessage[],
  { countTokens, room, summarise }: FitOptions,
): Promise<FittedContext> {
  const total = (all: readonly ModelMessage[]) =>
    all.reduce((sum, message) => sum + messageTokens(message, countTokens), 0);
  const before = total(messages);
  if (before <= room) return { messages, note: null };

  const recentFrom = cutBefore(messages, messages.length - KEPT_MESSAGES);
  const shortened = messages.map((message, index) =>
    index < recentFrom ? shortenResults(message) : message,
  );
  const after = total(shortened);
  if (after <= room) {
    return { messages: shortened, note: `Shortened older tool results (${before} to ${after} tokens).` };
  }
  if (recentFrom === 0) return { messages: shortened, note: null };
  const summary = await summarise(shortened.slice(0, recentFrom));
  const text = `[Summary of the conversation so far]\n${summary}`;
  const rest: ModelMessage[] = [
    { role: 'user', parts: [{ type: 'text', text }] },
    ...shortened.slice(recentFrom),
  ];
  return {
    messages: rest,
    note: `Replaced ${recentFrom} older messages by a summary (${before} to ${total(rest)} tokens).`,
  };
}

/** A cut must not part a call from its result, and must leave a message that a model accepts first. */
function cutBefore(messages: readonly ModelMessage[], wanted: number): number {
  let at = Math.max(0, wanted);
  while (at > 0 && messages[at]?.role === 'tool') at--;
  return at;
}

function shortenResults(message: ModelMessage): ModelMessage {
  if (message.role !== 'tool') return message;
  const isLong = ({ content }: ToolResultPart) =>
    content.reduce((sum, block) => sum + describeBlock(block).length, 0) > 2 * KEPT_CHARACTERS;
  if (!message.parts.some(isLong)) return message;
  return { role: 'tool', parts: message.parts.map((part) => (isLong(part) ? shorten(part) : part)) };
}

function shorten({ content, structuredContent: _, ...part }: ToolResultPart): ToolResultPart {
  const text = content.map((block) => describeBlock(block)).join('\n');
  const [head, tail] = [text.slice(0, KEPT_CHARACTERS), text.slice(-KEPT_CHARACTERS)];
  const dropped = text.length - head.length - tail.length;
  return {
    ...part,
    content: [{ type: 'text', text: `${head}\n[… ${dropped} characters dropped to save room …]\n${tail}` }],
  };
}
