import type { ScopeExplanation, ScopePlace, ScopeReport } from '../../../contract/scope.ts';
import type { View } from '../invocation.ts';
import { firstLine, plural, renderOrigin, wrap } from './layout.ts';
import { type Cell, renderTable } from './table.ts';

const COLUMNS = [
  { max: 42, min: 24, keep: true as const },
  { max: 100, min: 14 },
  { align: 'right' as const },
  { min: 8 },
];

export function renderScope(report: ScopeReport, view: View): string {
  const { agentId, declared, tools, unknown, clientTools, searched, tokens } = report;
  const list = declared === null ? 'no list: the read-only built-ins' : declared.join(', ') || 'none';
  const rows = tools.map(({ displayName, description, tokens: price, rule }): Cell[] => [
    { text: displayName, style: 'bold' },
    firstLine(description, 100),
    plural(price, 'token'),
    { text: rule === null || rule === displayName ? '' : `by ${rule}`, style: 'dim' },
  ]);
  const all = tools.reduce((sum, { tokens: price }) => sum + price, 0);
  const served = searched
    ? `; served as find_tools and call_tool, ${plural(tokens.tools, 'token')} instead of ${all}`
    : `, ${plural(all, 'token')}`;
  const line = (text: string): string => wrap(text, view.columns, '  ');
  return [
    wrap(`Scope of ${agentId} (${list}):`, view.columns),
    ...renderTable(rows, view, { columns: COLUMNS }),
    line(`${plural(tools.length, 'tool')}${served}`),
    line(
      `${plural(tokens.prompt, 'token')} for persona and skills; ${tokens.prompt + tokens.tools} in total`,
    ),
    ...(clientTools.length > 0 ? [line(`Client tools: ${clientTools.join(', ')}`)] : []),
    ...(unknown.length > 0 ? [line(`Not available: ${unknown.join(', ')}`)] : []),
    '',
  ].join('\n');
}

export function renderExplanation(why: ScopeExplanation, { folder, paint, columns }: View): string {
  const { agentId, tool, displayName, allowed, because, rule, place, via, nearest } = why;
  const name = displayName === tool ? tool : `${displayName} (${tool})`;
  const verdict = `${agentId} ${allowed ? 'may' : 'may not'} call ${name}: ${/[.?!]$/.test(because) ? because : `${because}.`}`;
  return [
    paint('bold', wrap(verdict, columns)),
    ...(rule === null ? [] : [`  ${rule}   ${renderPlace(place, folder)}`]),
    ...via.map(({ group, entry, place: at }) => `  ${group}: ${entry}   ${renderPlace(at, folder)}`),
    ...(rule === null ? [`  ${renderPlace(place, folder)}`] : []),
    ...(nearest === null ? [] : [`Did you mean '${nearest}'?`]),
    '',
  ].join('\n');
}

function renderPlace({ file, line, revision }: ScopePlace, folder: string): string {
  if (revision !== null) return `editor, revision ${revision}`;
  if (file === null) return 'in no file';
  return renderOrigin({ path: file, line: line ?? undefined }, folder);
}
