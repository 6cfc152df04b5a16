import type { ModelMessage, ToolResultPart } from '../../contract/run.ts';
import { describeBlock } from '../models/describe-block.ts';
import { messageTokens } from './message-tokens.ts';

/** The last messages stay whole: the model is working with them. */
const KEPT_MESSAGES = 4;
const KEPT_CHARACTERS = 600;
/** More than the note about what is missing, so that a shortened result is not shortened again. */
const NOTE_CHARACTERS = 100;

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

type Total = (messages: readonly ModelMessage[]) => number;

/**
 * Keeps a conversation within the window: older tool results are shortened first, then those of the last steps if
 * these fill it alone, and if that is not enough, older messages give way to a summary by the same model.
 */
export async function fitContext(
  messages: readonly ModelMessage[],
  { countTokens, room, summarise }: FitOptions,
): Promise<FittedContext> {
  const total: Total = (all) => all.reduce((sum, message) => sum + messageTokens(message, countTokens), 0);
  const before = total(messages);
  if (before <= room) return { messages, note: null };

  const recentFrom = cutBefore(messages, messages.length - KEPT_MESSAGES);
  const older = messages.map((message, index) => (index < recentFrom ? shortenResults(message) : message));
  const isFull = total(older.slice(recentFrom)) > room;
  const shortened = isFull ? shortenToFit(older, room, total) : older;
  const after = total(shortened);
  if (after <= room || recentFrom === 0) {
    const which = isFull ? 'tool results' : 'older tool results';
    const note = after < before ? `Shortened ${which} (${before} to ${after} tokens).` : null;
    return { messages: shortened, note };
  }
  const summary = await summarise(newest(shortened.slice(0, recentFrom), room, total));
  const rest = [said(`[Summary of the conversation so far]\n${summary}`), ...shortened.slice(recentFrom)];
  return {
    messages: rest,
    note: `Replaced ${recentFrom} older messages by a summary (${before} to ${total(rest)} tokens).`,
  };
}

const said = (text: string): ModelMessage => ({ role: 'user', parts: [{ type: 'text', text }] });

/** Keeps as much of each result as fits. */
function shortenToFit(messages: readonly ModelMessage[], room: number, total: Total): ModelMessage[] {
  for (let kept = room; ; kept /= 2) {
    const characters = Math.max(KEPT_CHARACTERS, Math.floor(kept));
    const shortened = messages.map((message) => shortenResults(message, characters));
    if (total(shortened) <= room || characters === KEPT_CHARACTERS) return shortened;
  }
}

/** The newest messages that fit into one request, which the model is to summarise. */
function newest(messages: readonly ModelMessage[], room: number, total: Total): readonly ModelMessage[] {
  let from = 0;
  while (from < messages.length - 1 && total(messages.slice(from)) > room) from++;
  // A result says nothing without its call.
  while (messages[from]?.role === 'tool') from++;
  return from === 0
    ? messages
    : [said('[The beginning of the conversation was dropped]'), ...messages.slice(from)];
}

/** A cut must not part a call from its result, and must leave a message that a model accepts first. */
function cutBefore(messages: readonly ModelMessage[], wanted: number): number {
  let at = Math.max(0, wanted);
  while (at > 0 && messages[at]?.role === 'tool') at--;
  return at;
}

function shortenResults(message: ModelMessage, kept = KEPT_CHARACTERS): ModelMessage {
  if (message.role !== 'tool') return message;
  const isLong = ({ content }: ToolResultPart) =>
    content.reduce((sum, block) => sum + describeBlock(block).length, 0) > 2 * kept + NOTE_CHARACTERS;
  if (!message.parts.some(isLong)) return message;
  return { role: 'tool', parts: message.parts.map((part) => (isLong(part) ? shorten(part, kept) : part)) };
}

function shorten({ content, structuredContent: _, ...part }: ToolResultPart, kept: number): ToolResultPart {
  const text = content.map((block) => describeBlock(block)).join('\n');
  const [head, tail] = [
    text.slice(0, kept).replace(/[\uD800-\uDBFF]$/, ''),
    text.slice(-kept).replace(/^[\uDC00-\uDFFF]/, ''),
  ];
  const dropped = text.length - head.length - tail.length;
  return {
    ...part,
    content: [{ type: 'text', text: `${head}\n[… ${dropped} characters dropped to save room …]\n${tail}` }],
  };
}
