import type { ToolCallRecord } from '../../../contract/activity.ts';
import type { Paint } from '../output/terminal.ts';
import { alignColumns, firstLine, localTime, printable } from './layout.ts';

export function renderCalls(calls: readonly ToolCallRecord[], paint: Paint): string {
  return alignColumns(
    calls.map((each) => cells(each, paint)),
    [20, 18, 40],
    2,
  )
    .map((line) => `${line}\n`)
    .join('');
}

export function renderCall(call: ToolCallRecord, paint: Paint): string {
  return cells(call, paint).join('  ');
}

function cells(call: ToolCallRecord, paint: Paint): string[] {
  const { at, surface, displayName, durationMs, code, message, outcome } = call;
  const ending = outcome === 'ok' ? '' : paint('red', code ?? outcome);
  return [
    localTime(at),
    whoOf(call),
    surface,
    printable(displayName),
    `${durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms`,
    [ending, firstLine(call.arguments, 60), message === null ? '' : paint('dim', firstLine(message, 80))]
      .filter((part) => part !== '' && part !== '{}')
      .join('  '),
  ];
}

function whoOf({ caller, agentId }: ToolCallRecord): string {
  if (agentId === null) return caller;
  return caller === 'operator' ? agentId : `${agentId} (token)`;
}
