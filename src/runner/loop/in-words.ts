import type { AssistantPart, ModelMessage, ToolResultPart } from '../../contract/run.ts';
import { describeBlock, describeEdit } from '../models/describe-block.ts';

/**
 * A message without tool calls and results, for a request without tools: some servers refuse those, and a model that
 * is asked for a summary must not call any.
 */
export function inWords(message: ModelMessage): ModelMessage {
  switch (message.role) {
    case 'user':
      return message;
    case 'assistant':
      return { role: 'assistant', parts: message.parts.flatMap(partInWords) };
    case 'tool':
    default:
      return { role: 'user', parts: message.parts.map((result) => text(resultInWords(result))) };
  }
}

const text = (words: string) => ({ type: 'text' as const, text: words });

function partInWords(part: AssistantPart): AssistantPart[] {
  if (part.type === 'reasoning') return [];
  return part.type === 'tool-call'
    ? [text(`[Called ${part.name} with ${JSON.stringify(part.input)}]`)]
    : [part];
}

function resultInWords(result: ToolResultPart): string {
  const { name, content, isError } = result;
  const words = describeEdit(result) + content.map((block) => describeBlock(block)).join('\n');
  return `[${name} ${isError ? 'failed' : 'answered'}]\n${words}`;
}
