import { type Agent, type AgentSummary, SourceKind } from '../contract/agent.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import type { AgentStore } from './agent-store.ts';
import { summaryOf } from './agent-store.ts';
import type { SourcedAgent } from './source.ts';

/** An agent that is served, and those with the same id that it overrides. */
export interface Winner extends SourcedAgent {
  shadows: Agent[];
}

export interface MergedAgents {
  byId: ReadonlyMap<string, Winner>;
  /** In order of id. */
  summaries: readonly AgentSummary[];
  diagnostics: readonly Diagnostic[];
}

/**
 * The agents of several layers as one set. The kind of source decides first, in the order of `SourceKind`;
 * within a kind the earlier layer does: a workspace wins over the user's own config.
 */
export function mergeAgents(layers: readonly (readonly SourcedAgent[])[]): MergedAgents {
  const rank = new Map(SourceKind.options.map((kind, index) => [kind, index]));
  const candidates = layers
    .flat()
    .map((sourced, index) => ({ sourced, order: (rank.get(sourced.agent.source) ?? 0) * 1e6 + index }))
    .toSorted((a, b) => a.order - b.order);

  const byId = new Map<string, Winner>();
  const diagnostics: Diagnostic[] = [];
  for (const { sourced } of candidates) {
    const winner = byId.get(sourced.agent.id);
    if (winner) {
      winner.shadows.push(sourced.agent);
      diagnostics.push(shadowed(sourced.agent, winner.agent, sourced.owner));
    } else {
      byId.set(sourced.agent.id, { ...sourced, shadows: [] });
    }
  }
  const summaries = [...byId.values()].map(toSummary).toSorted(byIdOrder);
  return { byId, summaries, diagnostics };
}

/** The agents visible in a workspace: the editor's over those in files. */
export interface Registry {
  find(id: string): Promise<Winner | null>;
  list(): Promise<readonly AgentSummary[]>;
  /** Definitions that are not served because another has their id. */
  diagnostics(): Promise<Diagnostic[]>;
}

export function createRegistry(
  editor: Pick<AgentStore, 'get' | 'list'>,
  files: () => MergedAgents,
): Registry {
  /** Cached until either side changes, since a search needs it on every keystroke. */
  let known:
    { edited: readonly AgentSummary[]; merged: MergedAgents; list: readonly AgentSummary[] } | undefined;
  return {
    async find(id) {
      const file = files().byId.get(id);
      const agent = await editor.get(id);
      if (!agent) return file ?? null;
      const shadows = file ? [file.agent, ...file.shadows] : [];
      return { agent, owner: null, trusted: true, shadows };
    },

    async list() {
      const edited = await editor.list({ deleted: false });
      const merged = files();
      if (known?.edited !== edited || known.merged !== merged) {
        known = { edited, merged, list: joinLists(edited, merged) };
      }
      return known.list;
    },

    async diagnostics() {
      const { byId, diagnostics } = files();
      const found = [...diagnostics];
      for (const [id, file] of byId) {
        const edited = await editor.get(id);
        if (edited) found.push(shadowed(file.agent, edited, file.owner));
      }
      return found;
    },
  };
}

/** Merges two sorted lists; sorting ten thousand agents again would take longer than a search. */
function joinLists(
  edited: readonly AgentSummary[],
  { byId, summaries }: MergedAgents,
): readonly AgentSummary[] {
  if (summaries.length === 0) return edited;
  const joined: AgentSummary[] = [];
  let at = 0;
  for (const summary of edited) {
    for (let file = summaries[at]; file && file.id <= summary.id; file = summaries[(at += 1)]) {
      if (file.id < summary.id) joined.push(file);
    }
    const file = byId.get(summary.id);
    joined.push(file ? { ...summary, shadows: [file.agent, ...file.shadows].map(toShadow) } : summary);
  }
  return [...joined, ...summaries.slice(at)];
}

function toSummary(winner: Winner): AgentSummary {
  const { agent, trusted, shadows, stale } = winner;
  const summary = { ...summaryOf(agent), trusted, shadows: shadows.map(toShadow) };
  return stale === undefined ? summary : { ...summary, stale };
}

function toShadow(agent: Agent): AgentSummary['shadows'][number] {
  return { source: agent.source, origin: agent.origin };
}

function byIdOrder(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

function shadowed(loser: Agent, winner: Agent, owner: string | null): Diagnostic {
  return {
    severity: 'warning',
    code: 'duplicate-id',
    message: `Agent '${loser.id}' is defined twice: ${placeOf(winner)} is served, ${placeOf(loser)} is not`,
    file: loser.origin?.path ?? null,
    line: loser.origin ? (loser.origin.line ?? 1) : null,
    hint: 'rename one of them; the order is editor, toml, markdown, lua, typescript',
    agentId: loser.id,
    workspace: owner,
  };
}

function placeOf(agent: Agent): string {
  if (!agent.origin) return `the one in the ${agent.source}`;
  const line = agent.origin.line === undefined ? '' : `:${agent.origin.line}`;
  return `the one in ${agent.source} (${agent.origin.path}${line})`;
}
