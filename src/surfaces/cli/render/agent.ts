import type { Agent } from '../../../contract/agent.ts';
import type { Paint } from '../output/terminal.ts';
import { alignColumns, firstLine, indent, localTime, plural, renderOrigin } from './layout.ts';

/** An agent for a person to read; `--json` has the rest. */
export function renderAgent(agent: Agent, folder: string, paint: Paint): string {
  const facts = [
    ['Id', agent.id],
    ['Description', agent.description || '(none)'],
    ['Mode', agent.mode],
    ['Source', agent.source + (agent.origin ? ` (${renderOrigin(agent.origin, folder)})` : '')],
    ['Version', agent.version],
    ...(agent.model === null ? [] : [['Model', agent.model]]),
    ['Tools', agent.tools === null ? 'read-only built-ins' : agent.tools.join(', ') || 'none'],
    ['Permission', agent.toolPermission],
    ...(agent.sources === null ? [] : [['Knowledge', agent.sources.join(', ') || 'none']]),
    ...(agent.contextRefs.length > 0 ? [['References', agent.contextRefs.join(', ')]] : []),
    ...(agent.revision > 0 ? [['Revision', `${agent.revision}, ${localTime(agent.updatedAt)}`]] : []),
  ];
  const sections = [
    [paint('bold', agent.name), ...alignColumns(facts.map((row) => [`  ${row[0]}`, row[1] ?? '']))].join(
      '\n',
    ),
    ...list('Arguments', agent.arguments, (argument) => [
      argument.name,
      argument.required
        ? 'required'
        : argument.default === undefined
          ? 'optional'
          : `default ${argument.default}`,
      argument.description,
    ]),
    ...list('Skills', agent.skills, (skill) => [
      `[${skill.enabled ? 'x' : ' '}] ${skill.id}`,
      skill.name,
      firstLine(skill.description, 60),
    ]),
    ...list('Knowledge queries', agent.context, (query) => [
      query.query,
      [query.mode, query.source, query.limit === undefined ? undefined : `at most ${query.limit}`]
        .filter((part) => part !== undefined)
        .join(', '),
    ]),
    ...list('Published tools', agent.publishedTools, (tool) => [tool.name, firstLine(tool.description, 60)]),
    agent.systemPrompt === ''
      ? 'System prompt: none'
      : `System prompt (${plural([...agent.systemPrompt].length, 'char')}):\n${indent(agent.systemPrompt)}`,
  ];
  return `${sections.join('\n\n')}\n`;
}

function list<T>(title: string, items: readonly T[], row: (item: T) => string[]): string[] {
  if (items.length === 0) return [];
  const rows = items.map((item) => row(item).map((cell, index) => (index === 0 ? `  ${cell}` : cell)));
  return [[`${title} (${items.length}):`, ...alignColumns(rows, [42, 42])].join('\n')];
}
