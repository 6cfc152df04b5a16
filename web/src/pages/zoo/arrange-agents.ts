import type { AgentSummary, SourceKind } from '../../../../src/contract/agent.ts';

export type SortBy = 'name' | 'changed' | 'price';
export type GroupBy = 'none' | 'source' | 'mode';

export interface Arrangement {
  text: string;
  source: SourceKind | 'all';
  sort: SortBy;
  group: GroupBy;
}

export interface AgentGroup {
  /** Null where the agents are not grouped. */
  title: string | null;
  agents: AgentSummary[];
}

export const sourceWords: Record<SourceKind, string> = {
  editor: 'Made in the editor',
  toml: 'TOML files',
  markdown: 'Markdown files',
  lua: 'Lua scripts',
  typescript: 'TypeScript modules',
};

const priceOf = ({ tokens }: AgentSummary): number => (tokens?.prompt ?? 0) + (tokens?.tools ?? 0);

/** The agents that match, in order and in groups. */
export function arrangeAgents(agents: readonly AgentSummary[], wanted: Arrangement): AgentGroup[] {
  // The hub has the agents that the workspace names first in their order.
  const first = agents.filter(({ featured }) => featured !== undefined).map(({ id }) => id);
  const placeOf = ({ id }: AgentSummary): number => (first.includes(id) ? first.indexOf(id) : first.length);
  const words = wanted.text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = agents
    .filter(({ source }) => wanted.source === 'all' || source === wanted.source)
    .filter(({ id, name, description }) => {
      const text = `${name} ${id} ${description}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted((a, b) => placeOf(a) - placeOf(b) || orders[wanted.sort](a, b));
  if (wanted.group === 'none') return found.length > 0 ? [{ title: null, agents: found }] : [];
  const groups = new Map<string, AgentSummary[]>();
  for (const agent of found) {
    const title = titleOf(agent, wanted.group);
    groups.set(title, [...(groups.get(title) ?? []), agent]);
  }
  return [...groups].map(([title, members]) => ({ title, agents: members }));
}

const byName = (a: AgentSummary, b: AgentSummary): number =>
  a.name.localeCompare(b.name, undefined, { numeric: true, sensitivity: 'base' });

const orders: Record<SortBy, (a: AgentSummary, b: AgentSummary) => number> = {
  name: byName,
  changed: (a, b) => b.updatedAt.localeCompare(a.updatedAt) || byName(a, b),
  price: (a, b) => priceOf(b) - priceOf(a) || byName(a, b),
};

function titleOf(agent: AgentSummary, group: GroupBy): string {
  if (group === 'source') return sourceWords[agent.source];
  return agent.mode.charAt(0).toUpperCase() + agent.mode.slice(1);
}
