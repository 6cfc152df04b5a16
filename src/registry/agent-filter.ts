import type { AgentSummary } from '../contract/agent.ts';

export interface AgentFilter {
  /** Words that must all occur in the id, name or description. */
  q?: string | undefined;
  source?: string | undefined;
  mode?: string | undefined;
}

/**
 * Filters lists of agents. Caches the lower-case text of each agent: computing it for ten thousand agents takes
 * longer than searching it. Unchanged agents keep their object, so a write recomputes only a few texts.
 */
export function createAgentFilter() {
  let known: { list: readonly AgentSummary[]; texts: readonly string[] } = { list: [], texts: [] };
  const textOf = new WeakMap<AgentSummary, string>();

  function searchText(agent: AgentSummary): string {
    const found = textOf.get(agent);
    if (found !== undefined) return found;
    const text = `${agent.id} ${agent.name} ${agent.description}`.toLowerCase();
    textOf.set(agent, text);
    return text;
  }

  function textsOf(list: readonly AgentSummary[]): readonly string[] {
    if (known.list === list) return known.texts;
    const { list: before, texts } = known;
    // By position first: ten thousand lookups in a WeakMap cost more than the search.
    const next = list.map((agent, at) => (before[at] === agent ? (texts[at] ?? '') : searchText(agent)));
    known = { list, texts: next };
    return next;
  }

  return (list: readonly AgentSummary[], { q, source, mode }: AgentFilter): readonly AgentSummary[] => {
    const words = q?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
    const texts = words.length === 0 ? [] : textsOf(list);
    const matches = (agent: AgentSummary, at: number): boolean => {
      if (source !== undefined && agent.source !== source) return false;
      if (mode !== undefined && agent.mode !== mode) return false;
      return words.every((word) => texts[at]?.includes(word));
    };
    return list.filter(matches);
  };
}
