import type { Agent } from '../../../contract/agent.ts';
import type { ReceiptPart, ResolvedAgent, ScriptTrace } from '../../../contract/resolved.ts';
import { alignColumns, indent, localTime, plural, printable, renderOrigin } from './layout.ts';

/** Seed 002 §9.2. */
export function renderResolved(
  agent: Agent,
  resolved: ResolvedAgent,
  folder: string,
  withReceipt: boolean,
): string {
  const { receipt, trace } = resolved;
  const characters = [...resolved.system].length;
  const sections = [
    [
      `Agent: ${agent.id}`,
      `Source: ${agent.source}${agent.origin ? ` (${renderOrigin(agent.origin, folder)})` : ''}`,
      `Tools: ${resolved.tools.join(', ') || 'none'}`,
      ...(resolved.clientTools.length > 0 ? [`Tools of the client: ${resolved.clientTools.join(', ')}`] : []),
    ].join('\n'),
    `System prompt (${plural(characters, 'char')}):\n${indent(resolved.system)}`,
    ...(resolved.messages.length > 0
      ? [`Messages (${resolved.messages.length}):\n${resolved.messages.map(renderMessage).join('\n')}`]
      : []),
    ...(withReceipt || trace ? [renderReceipt(resolved)] : []),
    ...(trace && trace.logs.length > 0 ? [renderLogs(trace.logs)] : []),
    ...(trace ? [renderTimes(trace, receipt.durationMs)] : []),
    ...(receipt.warnings.length > 0
      ? [receipt.warnings.map((warning) => `warning: ${warning}`).join('\n')]
      : []),
    `Resolved in ${renderDuration(receipt.durationMs)} (${plural(receipt.searches, 'search query', 'search queries')}, ` +
      `${plural(receipt.fetches, 'document fetch', 'document fetches')})`,
  ];
  return `\n${sections.join('\n\n')}\n`;
}

export function renderLogs(logs: ScriptTrace['logs']): string {
  const rows = logs.map(({ level, message, atMs }) => [
    `  ${renderDuration(atMs)}`,
    level,
    printable(message),
  ]);
  return ['Log:', ...alignColumns(rows)].join('\n');
}

/** What the script waited for, what it did itself, and what was done around it. */
function renderTimes({ calls, tookMs }: ScriptTrace, durationMs: number): string {
  const waited = Object.values(calls).reduce((sum, { ms }) => sum + ms, 0);
  const rows = [
    ...Object.entries(calls).map(([name, { count, ms }]) => [`  ${name}`, `${count}×`, renderDuration(ms)]),
    ['  the script itself', '', renderDuration(Math.max(0, tookMs - waited))],
    ['  the hub around it', '', renderDuration(Math.max(0, durationMs - tookMs))],
  ];
  return ['Where the time went:', ...alignColumns(rows)].join('\n');
}

function renderMessage({ role, content }: ResolvedAgent['messages'][number]): string {
  return indent(`[${role}] ${content}`);
}

function renderDuration(ms: number): string {
  if (ms < 1) return '<1ms';
  return ms < 10_000 ? `${Math.round(ms)}ms` : `${(ms / 1000).toFixed(1)}s`;
}

function renderReceipt({ receipt }: ResolvedAgent): string {
  const rows = alignColumns(
    receipt.parts.map((part) => [
      `  ${part.kind}`,
      part.title || part.id,
      `${part.tokens} tokens`,
      provenance(part),
    ]),
    [12, 48],
  );
  const headings = receipt.totalTokens - receipt.parts.reduce((sum, part) => sum + part.tokens, 0);
  const rest = headings > 0 ? ` (${headings} of them headings and separators)` : '';
  return [
    `Receipt (revision ${receipt.revision}):`,
    ...rows,
    `  ${plural(receipt.totalTokens, 'token')} in all${rest}`,
    ...(receipt.toolTokens === undefined
      ? []
      : [`  ${plural(receipt.toolTokens, 'token')} of tools beside it`]),
  ].join('\n');
}

function provenance({ source, score, relevance, updatedAt }: ReceiptPart): string {
  return [
    ...(source === undefined ? [] : [source]),
    ...(relevance === undefined ? [] : [`relevance ${relevance.toFixed(2)}`]),
    ...(score === undefined || relevance !== undefined ? [] : [`score ${score.toFixed(2)}`]),
    ...(updatedAt === undefined ? [] : [`changed ${localTime(updatedAt)}`]),
  ].join(', ');
}
