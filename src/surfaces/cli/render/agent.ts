import type { Agent } from '../../../contract/agent.ts';
import { terminalLine } from '../../../platform/text/terminal-text.ts';
import type { View } from '../invocation.ts';
import { firstLine, indent, localTime, plural, renderFacts, renderOrigin } from './layout.ts';
import { type Cell, renderTable } from './table.ts';

/** An agent for a person to read; `--json` has the rest. */
export function renderAgent(agent: Agent, view: View): string {
  const { paint, folder } = view;
  const facts: [string, string][] = [
    ['Id', agent.id],
    ['Description', agent.description || '(none)'],
    ['Mode', agent.mode],
    ['Source', agent.source + (agent.origin ? ` (${renderOrigin(agent.origin, folder)})` : '')],
    ['Version', agent.version],
    ...(agent.model === null ? [] : [['Model', [agent.model].flat().join(', ')] satisfies [string, string]]),
    ['Tools', agent.tools === null ? 'read-only built-ins' : agent.tools.join(', ') || 'none'],
    ['Permission', agent.toolPermission],
    ...(agent.sources === null
      ? []
      : [['Knowledge', agent.sources.join(', ') || 'none'] satisfies [string, string]]),
    ...(agent.contextRefs.length > 0
      ? [['References', agent.contextRefs.join(', ')] satisfies [string, string]]
      : []),
    ...(agent.revision > 0
      ? [['Revision', `${agent.revision}, ${localTime(agent.updatedAt)}`] satisfies [string, string]]
      : []),
  ];
  const sections = [
    `${paint('bold', terminalLine(agent.name))}\n${renderFacts(
      facts.map(([label, value]) => [label, terminalLine(value)]),
      view,
    )}`,
    ...list('Arguments', agent.arguments, view, ({ name, required, default: fallback, description }) => [
      { text: name, style: 'bold' },
      required
        ? { text: 'required', style: null }
        : fallback === undefined
          ? 'optional'
          : `default ${fallback}`,
      description,
    ]),
    ...list('Skills', agent.skills, view, ({ id, enabled, name, description }) => [
      { text: `[${enabled ? 'x' : ' '}] ${id}`, style: enabled ? 'bold' : 'dim' },
      name,
      firstLine(description, 60),
    ]),
    ...list('Knowledge queries', agent.context, view, ({ query, mode, source, limit }) => [
      query,
      [mode, source, limit === undefined ? undefined : `at most ${limit}`].filter(Boolean).join(', '),
    ]),
    ...list('Published tools', agent.publishedTools, view, ({ name, description }) => [
      { text: name, style: 'bold' },
      firstLine(description, 60),
    ]),
    agent.systemPrompt === ''
      ? 'System prompt: none'
      : `System prompt (${plural([...agent.systemPrompt].length, 'char')}):\n${indent(agent.systemPrompt)}`,
  ];
  return `${sections.join('\n\n')}\n`;
}

function list<T>(title: string, items: readonly T[], view: View, row: (item: T) => Cell[]): string[] {
  if (items.length === 0) return [];
  const columns = [{ max: 42, min: 12 }, { max: 42, min: 10 }, { min: 12 }];
  return [[`${title} (${items.length}):`, ...renderTable(items.map(row), view, { columns })].join('\n')];
}
