import type { ToolCallRecord } from '../../../contract/activity.ts';
import type { View } from '../invocation.ts';
import { firstLine, localTime, shortTime } from './layout.ts';
import { type Cell, type Column, renderTable } from './table.ts';

const COLUMNS: readonly Column[] = [
  {},
  { max: 28, min: 10 },
  { optional: true, max: 20 },
  { max: 40, min: 16, keep: true },
  { align: 'right' },
  { optional: true },
  { min: 24, max: 120 },
];

export function renderCalls(calls: readonly ToolCallRecord[], view: View): string {
  const rows = calls.map((call) => cells(call, view));
  return renderTable(rows, view, { columns: COLUMNS, gap: 2, indent: 0 })
    .map((line) => `${line}\n`)
    .join('');
}

function cells(call: ToolCallRecord, { columns }: View): Cell[] {
  const { at, surface, client, displayName, durationMs, code, message, outcome } = call;
  const given = call.arguments === '{}' ? '' : firstLine(call.arguments, 60);
  return [
    columns < 100 ? shortTime(at) : localTime(at),
    callerOf(call),
    client ?? surface,
    { text: displayName, style: 'bold' },
    `${durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms`,
    outcome === 'ok' ? '' : { text: code ?? outcome, style: 'alert' },
    {
      text: [message === null ? '' : firstLine(message, 80), given].filter(Boolean).join('  '),
      // The outcome is left out of a narrow terminal.
      style: outcome === 'ok' ? 'dim' : 'alert',
    },
  ];
}

function callerOf({ caller, agentId }: ToolCallRecord): string {
  if (caller.startsWith('member:')) return agentId === null ? 'member' : `${agentId} (member)`;
  if (agentId === null) return caller;
  return caller === 'operator' ? agentId : `${agentId} (token)`;
}
