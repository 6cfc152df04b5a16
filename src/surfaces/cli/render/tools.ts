import type { ToolDescriptor } from '../../../contract/tool.ts';
import type { Paint } from '../output/terminal.ts';
import { alignColumns, firstLine, indent, plural, printable } from './layout.ts';

export function renderTools(tools: readonly ToolDescriptor[], paint: Paint): string {
  const rows = alignColumns(
    tools.map(({ displayName, description, title, tokens = 0, origin }) => [
      `  ${printable(displayName)}`,
      firstLine(description || title, 64),
      `${tokens} tokens`,
      origin === 'builtin' ? '' : `[${origin}]`,
    ]),
    [42, 64],
  );
  if (tools.length === 0) return '';
  const sum = tools.reduce((total, { tokens = 0 }) => total + tokens, 0);
  return `${rows.join('\n')}\n${paint('dim', `  ${plural(tools.length, 'tool')}, ${plural(sum, 'token')}`)}\n`;
}

export function renderTool(tool: ToolDescriptor): string {
  const { displayName, name, title, description, origin, annotations, inputSchema, outputSchema, tokens } =
    tool;
  const hints = [
    annotations.readOnlyHint ? 'reads only' : 'may change things',
    ...(annotations.destructiveHint ? ['may destroy'] : []),
    ...(annotations.idempotentHint ? ['can be repeated'] : []),
    ...(annotations.openWorldHint ? ['reaches outside'] : []),
  ];
  const sections = [
    [
      `Tool: ${printable(displayName)}${title === displayName ? '' : ` (${printable(title)})`}`,
      ...(name === displayName ? [] : [`On the wire: ${name}`]),
      `From: ${origin}`,
      `It ${hints.join(', ')}`,
      ...(tokens === undefined ? [] : [`Costs: ${plural(tokens, 'token')}`]),
    ].join('\n'),
    ...(description === '' ? [] : [indent(description)]),
    `Takes:\n${indent(JSON.stringify(inputSchema, null, 2))}`,
    ...(outputSchema ? [`Answers:\n${indent(JSON.stringify(outputSchema, null, 2))}`] : []),
  ];
  return `${sections.join('\n\n')}\n`;
}
