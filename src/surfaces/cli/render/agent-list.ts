import type { AgentSummary } from '../../../contract/agent.ts';
import type { View } from '../invocation.ts';
import { firstLine, localTime, plural, renderOrigin, wrap } from './layout.ts';
import { type Cell, type Column, renderTable } from './table.ts';

const COLUMNS: readonly Column[] = [
  { max: 32, min: 16, keep: true },
  { max: 64, min: 36 },
  { min: 24, max: Infinity, optional: true },
  { optional: true },
  { align: 'right' },
];
const PIPED: readonly Column[] = [{ max: 32 }, { max: 64, min: 16 }];

/** Seed 002 §9.1: id, description, tools, and the source where it is not TOML. */
export function renderAgentList(agents: readonly AgentSummary[], view: View): string {
  const piped = view.columns === Infinity;
  const rows = agents.map((agent): Cell[] => {
    const facts = [renderTools(agent), tagsOf(agent), renderTokens(agent)];
    const name: Cell = { text: agent.id, style: agent.trusted ? 'bold' : 'warning' };
    const about = firstLine(agent.description || agent.name, 200);
    if (piped) return [name, about, facts.filter((fact) => fact !== '').join('  ')];
    const [tools = '', tags = '', tokens = ''] = facts;
    return [name, about, tools, tags, { text: tokens, style: 'dim' }];
  });
  const lines = renderTable(rows, view, { columns: piped ? PIPED : COLUMNS });
  return agents
    .flatMap((agent, index) => [
      lines[index] ?? '',
      ...remarks(agent, view).map((text) => wrap(text, view.columns, '      ')),
    ])
    .map((line) => `${line}\n`)
    .join('');
}

function renderTools({ tools, trusted }: Pick<AgentSummary, 'tools' | 'trusted'>): string {
  if (!trusted) return '(tools: not known yet)';
  if (tools === null) return '(tools: read-only built-ins)';
  return `(tools: ${tools.length === 0 ? 'none' : tools.join(', ')})`;
}

function tagsOf(agent: AgentSummary): string {
  return [
    ...(agent.source === 'toml' ? [] : [`[${agent.source}]`]),
    ...(agent.mode === 'interactive' ? [] : [`[${agent.mode}]`]),
    ...(agent.deletedAt === null ? [] : [`[deleted ${localTime(agent.deletedAt)}]`]),
  ].join('  ');
}

function renderTokens({ tokens }: AgentSummary): string {
  return tokens ? plural(tokens.prompt + tokens.tools, 'token') : '';
}

function remarks(agent: AgentSummary, { folder }: View): string[] {
  const untrusted = 'not trusted, so it does not run: `zoo trust` shows what it would run and approves it';
  return [
    ...agent.shadows.map(
      ({ source, origin }) => `shadows ${source}${origin ? ` ${renderOrigin(origin, folder)}` : ''}`,
    ),
    ...(agent.trusted ? [] : [untrusted]),
    ...(agent.stale === undefined ? [] : [agent.stale]),
    ...(agent.deletedAt === null ? [] : [`restore it: zoo agent undelete ${agent.id}`]),
  ];
}
