import type { Agent } from '../../../contract/agent.ts';
import type { ReceiptPart, ResolvedAgent, ScriptTrace } from '../../../contract/resolved.ts';
import type { View } from '../invocation.ts';
import { wrapMessage } from '../output/wrap-message.ts';
import { firstLine, indent, localTime, plural, renderOrigin, wrap } from './layout.ts';
import { renderTable } from './table.ts';

/** Seed 002 §9.2. */
export function renderResolved(
  agent: Agent,
  resolved: ResolvedAgent,
  view: View,
  withReceipt: boolean,
): string {
  const { receipt, trace } = resolved;
  const { paint, folder, columns } = view;
  const characters = [...resolved.system].length;
  const sections = [
    [
      `Agent: ${agent.id}`,
      `Source: ${agent.source}${agent.origin ? ` (${renderOrigin(agent.origin, folder)})` : ''}`,
      wrap(`Tools: ${resolved.tools.join(', ') || 'none'}`, columns),
      ...(resolved.clientTools.length > 0
        ? [wrap(`Client tools: ${resolved.clientTools.join(', ')}`, columns)]
        : []),
    ].join('\n'),
    `System prompt (${plural(characters, 'char')}):\n${indent(resolved.system)}`,
    ...(resolved.messages.length > 0
      ? [`Messages (${resolved.messages.length}):\n${resolved.messages.map(renderMessage).join('\n')}`]
      : []),
    ...(withReceipt || trace ? [renderReceipt(resolved, view)] : []),
    ...(trace && trace.logs.length > 0 ? [renderLogs(trace.logs, view)] : []),
    ...(trace ? [renderTimes(trace, receipt.durationMs, view)] : []),
    ...(receipt.warnings.length > 0
      ? [
          receipt.warnings
            .map((text) =>
              wrapMessage(`${paint('warning', 'warning')}: ${indent(text, '  ').trimStart()}`, columns),
            )
            .join('\n'),
        ]
      : []),
    `Resolved in ${renderDuration(receipt.durationMs)} (${plural(receipt.searches, 'search query', 'search queries')}, ` +
      `${plural(receipt.fetches, 'document fetch', 'document fetches')})`,
  ];
  return `\n${sections.join('\n\n')}\n`;
}

export function renderLogs(logs: ScriptTrace['logs'], view: View): string {
  const rows = logs.map(({ level, message, atMs }) => [renderDuration(atMs), level, message]);
  return ['Log:', ...renderTable(rows, view, { columns: [{}, {}, { min: 20, max: Infinity }] })].join('\n');
}

/** Time spent waiting for host calls, in the script itself, and in the hub. */
function renderTimes({ calls, tookMs }: ScriptTrace, durationMs: number, view: View): string {
  const waited = Object.values(calls).reduce((sum, { ms }) => sum + ms, 0);
  const rows = [
    ...Object.entries(calls).map(([name, { count, ms }]) => [name, `${count}×`, renderDuration(ms)]),
    ['script', '', renderDuration(Math.max(0, tookMs - waited))],
    ['hub', '', renderDuration(Math.max(0, durationMs - tookMs))],
  ];
  return ['Timing:', ...renderTable(rows, view)].join('\n');
}

function renderMessage({ role, content }: ResolvedAgent['messages'][number]): string {
  return indent(`[${role}] ${content}`);
}

function renderDuration(ms: number): string {
  if (ms < 1) return '<1ms';
  return ms < 10_000 ? `${Math.round(ms)}ms` : `${(ms / 1000).toFixed(1)}s`;
}

const RECEIPT_COLUMNS = [
  { max: 12 },
  { max: 48, min: 16 },
  { align: 'right' as const },
  { min: 12, max: Infinity },
];

function renderReceipt({ receipt }: ResolvedAgent, view: View): string {
  const rows = renderTable(
    receipt.parts.map((part) => [
      part.kind,
      firstLine(part.title || part.id, 48),
      plural(part.tokens, 'token'),
      { text: provenance(part), style: 'dim' },
    ]),
    view,
    { columns: RECEIPT_COLUMNS },
  );
  const headings = receipt.totalTokens - receipt.parts.reduce((sum, part) => sum + part.tokens, 0);
  const rest = headings > 0 ? ` (${headings} for headings and separators)` : '';
  return [
    receipt.revision > 0 ? `Receipt (revision ${receipt.revision}):` : 'Receipt:',
    ...rows,
    `  ${plural(receipt.totalTokens, 'token')} in total${rest}`,
    ...(receipt.toolTokens === undefined
      ? []
      : [`  ${plural(receipt.toolTokens, 'token')} for tools, not included`]),
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
