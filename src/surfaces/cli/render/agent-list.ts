import type { AgentSummary } from '../../../contract/agent.ts';
import type { Paint } from '../output/terminal.ts';
import { alignColumns, firstLine, localTime, renderOrigin } from './layout.ts';

const idBound = 32;
const descriptionBound = 64;

/** Seed 002 §9.1: id, description, tools, and the source where it is not TOML. */
export function renderAgentList(agents: readonly AgentSummary[], folder: string, paint: Paint): string {
  const rows = alignColumns(
    agents.map((agent) => [
      `  ${agent.id}`,
      firstLine(agent.description || agent.name, descriptionBound),
      [renderTools(agent), ...suffixes(agent)].join('  '),
    ]),
    [idBound + 2, descriptionBound],
  );
  return agents
    .flatMap((agent, index) => [
      rows[index] ?? '',
      ...remarks(agent, folder).map((line) => paint('dim', `      ${line}`)),
    ])
    .map((line) => `${line}\n`)
    .join('');
}

function renderTools({ tools, trusted }: Pick<AgentSummary, 'tools' | 'trusted'>): string {
  if (!trusted) return '(tools: not known yet)';
  if (tools === null) return '(tools: read-only built-ins)';
  return `(tools: ${tools.length === 0 ? 'none' : tools.join(', ')})`;
}

function suffixes(agent: AgentSummary): string[] {
  return [
    ...(agent.source === 'toml' ? [] : [`[${agent.source}]`]),
    ...(agent.mode === 'interactive' ? [] : [`[${agent.mode}]`]),
    ...(agent.deletedAt === null ? [] : [`[deleted ${localTime(agent.deletedAt)}]`]),
    ...(agent.tokens ? [`${agent.tokens.prompt + agent.tokens.tools} tokens`] : []),
  ];
}

function remarks(agent: AgentSummary, folder: string): string[] {
  return [
    ...agent.shadows.map(
      ({ source, origin }) => `shadows ${source}${origin ? ` ${renderOrigin(origin, folder)}` : ''}`,
    ),
    ...(agent.trusted
      ? []
      : ['not trusted yet, so not run: `zoo trust` shows what it would do, and approves it']),
    ...(agent.deletedAt === null ? [] : [`bring it back: zoo agent undelete ${agent.id}`]),
  ];
}
