import type { ToolDescriptor } from '../../../contract/tool.ts';
import { terminalLine } from '../../../platform/text/terminal-text.ts';
import type { View } from '../invocation.ts';
import { firstLine, indent, plural, wrap } from './layout.ts';
import { type Cell, renderTable } from './table.ts';

const COLUMNS = [
  { max: 42, min: 24, keep: true as const },
  { max: 64, min: 16 },
  { align: 'right' as const },
];

export function renderTools(tools: readonly ToolDescriptor[], view: View): string {
  if (tools.length === 0) return '';
  const lines = renderTable(
    tools.map(({ displayName, description, title, tokens = 0, origin }): Cell[] => [
      { text: displayName, style: 'bold' },
      `${origin === 'builtin' ? '' : `[${origin}] `}${firstLine(description || title, 200)}`,
      { text: plural(tokens, 'token'), style: 'dim' },
    ]),
    view,
    { columns: COLUMNS },
  );
  const sum = tools.reduce((total, { tokens = 0 }) => total + tokens, 0);
  const totals = `  ${plural(tools.length, 'tool')}, ${plural(sum, 'token')}`;
  return `${lines.join('\n')}\n${view.paint('dim', totals)}\n`;
}

export function renderTool(tool: ToolDescriptor, { columns }: View): string {
  const { displayName, name, title, description, origin, annotations, inputSchema, outputSchema, tokens } =
    tool;
  const hints = [
    annotations.readOnlyHint ? 'read-only' : 'may change data',
    ...(annotations.destructiveHint ? ['may delete data'] : []),
    ...(annotations.idempotentHint ? ['safe to repeat'] : []),
    ...(annotations.openWorldHint ? ['reaches outside systems'] : []),
  ];
  const sections = [
    [
      `Tool: ${terminalLine(displayName)}${title === displayName ? '' : ` (${terminalLine(title)})`}`,
      ...(name === displayName ? [] : [`Wire name: ${terminalLine(name)}`]),
      `Origin: ${origin}`,
      `Behaviour: ${hints.join(', ')}`,
      ...(tokens === undefined ? [] : [`Cost: ${plural(tokens, 'token')}`]),
    ].join('\n'),
    ...(description === '' ? [] : [wrap(description, columns, '  ')]),
    `Input schema:\n${indent(JSON.stringify(inputSchema, null, 2))}`,
    ...(outputSchema ? [`Output schema:\n${indent(JSON.stringify(outputSchema, null, 2))}`] : []),
  ];
  return `${sections.join('\n\n')}\n`;
}
