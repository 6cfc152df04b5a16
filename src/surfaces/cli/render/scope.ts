import type { ScopeExplanation, ScopePlace, ScopeReport } from '../../../contract/scope.ts';
import type { Paint } from '../output/terminal.ts';
import { alignColumns, firstLine, plural, printable, renderOrigin } from './layout.ts';

export function renderScope(report: ScopeReport, paint: Paint): string {
  const { agentId, declared, tools, unknown, clientTools, searched, tokens } = report;
  const list = declared === null ? 'no list: the read-only built-ins' : declared.join(', ') || 'none';
  const rows = alignColumns(
    tools.map(({ displayName, description, tokens: price, rule }) => [
      `  ${printable(displayName)}`,
      firstLine(description, 48),
      `${price} tokens`,
      rule === null || rule === displayName ? '' : paint('dim', `by ${rule}`),
    ]),
    [42, 48],
  );
  const all = tools.reduce((sum, { tokens: price }) => sum + price, 0);
  const how = searched
    ? `; served as find_tools and call_tool, ${plural(tokens.tools, 'token')} instead of ${all}`
    : `, ${plural(all, 'token')}`;
  return [
    `Scope of ${agentId} (${printable(list)}):`,
    ...rows,
    `  ${plural(tools.length, 'tool')}${how}`,
    `  ${plural(tokens.prompt, 'token')} of persona and skills; ${tokens.prompt + tokens.tools} in all`,
    ...(clientTools.length > 0 ? [`  Tools of the client: ${printable(clientTools.join(', '))}`] : []),
    ...(unknown.length > 0 ? [`  Not there at the moment: ${printable(unknown.join(', '))}`] : []),
    '',
  ].join('\n');
}

export function renderExplanation(why: ScopeExplanation, folder: string): string {
  const { agentId, tool, displayName, allowed, because, rule, place, via, nearest } = why;
  const name = displayName === tool ? tool : `${displayName} (${tool})`;
  return printable(
    [
      `${agentId} ${allowed ? 'may' : 'may not'} call ${name}: ${because}.`,
      ...(rule === null ? [] : [`  ${rule}   ${renderPlace(place, folder)}`]),
      ...via.map(({ group, entry, place: at }) => `  ${group}: ${entry}   ${renderPlace(at, folder)}`),
      ...(rule === null ? [`  ${renderPlace(place, folder)}`] : []),
      ...(nearest === null ? [] : [`Did you mean '${nearest}'?`]),
      '',
    ].join('\n'),
  );
}

function renderPlace({ file, line, revision }: ScopePlace, folder: string): string {
  if (revision !== null) return `editor, revision ${revision}`;
  if (file === null) return 'in no file';
  return renderOrigin({ path: file, line: line ?? undefined }, folder);
}
