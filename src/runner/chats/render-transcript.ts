import {
  cutOffText,
  type ModelMessage,
  type Run,
  type ToolResultPart,
  type UserPart,
} from '../../contract/run.ts';
import { describeBlock, describeEdit } from '../models/describe-block.ts';

/** A conversation as Markdown, for people: what was said, which tools were called, and what it cost. */
export function renderTranscript(title: string, runs: readonly Run[]): string {
  return [`# ${title}`, ...runs.flatMap(renderRun)].join('\n\n') + '\n';
}

function renderRun(run: Run): string[] {
  const { agentId, model, createdAt, usage, error, state } = run;
  const tokens = usage.inputTokens + usage.outputTokens;
  const price = usage.usd === null || usage.usd === 0 ? '' : `, $${usage.usd.toFixed(4)}`;
  return [
    `## You`,
    renderInput(run.input),
    `## ${agentId}`,
    ...run.stepsTaken.flatMap(({ messages }) => messages.flatMap(renderMessage)),
    ...(cutOffText(run) === '' ? [] : [cutOffText(run)]),
    ...(error ? [`> **${error.code}**: ${error.message}`] : []),
    ...(state === 'cancelled' ? ['> Cancelled.'] : []),
    `_${[createdAt, model ?? 'no model', `${tokens} tokens${price}`].join(' · ')}_`,
  ];
}

function renderInput(parts: readonly UserPart[]): string {
  return parts
    .map((part) => (part.type === 'text' ? part.text : `[file: ${part.name ?? part.mediaType}]`))
    .join('\n\n');
}

function renderMessage(message: ModelMessage): string[] {
  if (message.role === 'user') return [`## You`, renderInput(message.parts)];
  if (message.role === 'tool') return message.parts.map(renderResult);
  return message.parts.flatMap((part) => {
    if (part.type === 'text') return [part.text];
    if (part.type === 'tool-call')
      return [`Called \`${part.name}\`:`, fence(JSON.stringify(part.input, null, 2), 'json')];
    return part.type === 'file' ? [`[file: ${part.mediaType}]`] : [];
  });
}

function renderResult(result: ToolResultPart): string {
  const { name, content, isError } = result;
  const text = describeEdit(result) + content.map((block) => describeBlock(block)).join('\n');
  return [`\`${name}\` ${isError ? 'failed' : 'answered'}:`, fence(text)].join('\n\n');
}

/** Longer than any fence in the text. */
function fence(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${language}\n${text}\n${ticks}`;
}
