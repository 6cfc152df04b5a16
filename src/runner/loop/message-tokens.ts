import type { ModelMessage } from '../../contract/run.ts';
import { describeBlock, describeEdit, fileOf } from '../models/describe-block.ts';
import type { ModelTool } from '../models/model.ts';

/** Rough cost of an image or file: providers count by size, up to about this many tokens. */
const FILE_TOKENS = 1_600;
/** Roles and separators around each message. */
const MESSAGE_OVERHEAD = 4;

const counted = new WeakMap<ModelMessage, number>();

/** About how many tokens a request has. Messages never change, so each is counted once. */
export function tokensOf(
  {
    system,
    messages,
    tools,
  }: { system: string; messages: readonly ModelMessage[]; tools: readonly ModelTool[] },
  countTokens: (text: string) => number,
): number {
  const ofTools = tools.length === 0 ? 0 : countTokens(JSON.stringify(tools));
  return (
    countTokens(system) +
    ofTools +
    messages.reduce((sum, message) => sum + messageTokens(message, countTokens), 0)
  );
}

export function messageTokens(message: ModelMessage, countTokens: (text: string) => number): number {
  const known = counted.get(message);
  if (known !== undefined) return known;
  const count = message.parts.reduce((sum, part) => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return sum + countTokens(part.text);
      case 'file':
        return sum + FILE_TOKENS;
      case 'tool-call':
        return sum + countTokens(part.name) + countTokens(JSON.stringify(part.input) ?? '');
      case 'tool-result':
      default:
        return (
          sum +
          part.content.reduce(
            (all, block) => all + (fileOf(block) ? FILE_TOKENS : countTokens(describeBlock(block))),
            countTokens(describeEdit(part)),
          )
        );
    }
  }, MESSAGE_OVERHEAD);
  counted.set(message, count);
  return count;
}
