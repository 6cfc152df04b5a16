import type { ToolDescriptor } from '../../contract/tool.ts';
import { compileGlob } from './name-glob.ts';
import {
  type GroupProblem,
  type ParsedGroups,
  parseEntries,
  parseGroups,
  type ScopeEntry,
  type ToolGroups,
} from './tool-groups.ts';
import { indexTools, type ToolIndex } from '../catalogue/tool-index.ts';

/** The tools that an agent may see and call. */
export interface Scope {
  /** Wire names, in the order of the agent's list. */
  granted: readonly string[];
  /** The same tools, in the order of the catalogue. */
  available: readonly ToolDescriptor[];
  /** Entries that name a missing tool. */
  unknown: readonly string[];
  includes(tool: ToolDescriptor): boolean;
  /** Why a tool is in or out; accepts both forms of its name. */
  explain(name: string): ScopeReason;
}

export interface ScopeReason {
  allowed: boolean;
  /** The entry of the agent's list that decided; null if none did. */
  rule: string | null;
  /** The index of that entry in the list. */
  index: number | null;
  /** The groups on the way to the entry that names the tool. */
  via: readonly GroupStep[];
}

export interface GroupStep {
  group: string;
  entry: string;
  index: number;
}

/** The scopes of the agents that share a catalogue and groups. */
export interface Scopes {
  expand(declared: readonly string[] | null): Scope;
  problems: readonly GroupProblem[];
}

const KEPT_SCOPES = 2_000;

type Named = Pick<ToolDescriptor, 'name' | 'displayName'>;

/**
 * The one place where a scope is computed. Null means the read-only built-ins, an empty list nothing, `*` everything.
 * A `!` entry removes tools, whatever else granted them. Names and globs match both forms of a tool's name.
 */
export function expandScope(
  declared: readonly string[] | null,
  catalogue: readonly ToolDescriptor[],
  { groups = {} }: { groups?: ToolGroups } = {},
): Scope {
  return createScopes(catalogue, groups).expand(declared);
}

/** The same for many agents: entries are looked up once, and equal lists share a scope. */
export function createScopes(catalogue: readonly ToolDescriptor[], groups: ToolGroups): Scopes {
  const index = indexTools(catalogue);
  const parsed = parseGroups(groups);
  const entries = createEntries(catalogue, index, parsed);
  const kept = new Map<string, Scope>();
  /** Agents are never changed in place, so most lists are the same arrays. */
  const seen = new WeakMap<readonly string[], Scope>();

  function expandList(declared: readonly string[]): Scope {
    const rules = parseEntries(declared);
    const excludes = rules.filter(({ negated }) => negated);
    const includes = rules.filter(({ negated }) => !negated);
    const away = new Set(excludes.flatMap(({ body }) => [...entries.tools(body)]));
    const inOrder = new Set(
      includes.flatMap(({ body }) => entries.tools(body).filter((tool) => !away.has(tool))),
    );
    return {
      granted: [...inOrder].map(({ name }) => name),
      available: catalogue.filter((tool) => inOrder.has(tool)),
      unknown: rules.filter(({ body }) => entries.isUnknown(body)).map(({ text }) => text),
      includes: (tool) => inOrder.has(tool),
      explain(name) {
        const tool = index.find(name) ?? { name, displayName: name };
        for (const { body, text, index: at, negated } of [...excludes, ...includes]) {
          const via = entries.match(body, tool);
          if (via) return { allowed: !negated, rule: text, index: at, via };
        }
        for (const { body, text, index: at } of includes) {
          const via = entries.exclusion(body, tool);
          if (via) return { allowed: false, rule: text, index: at, via };
        }
        return { allowed: false, rule: null, index: null, via: [] };
      },
    };
  }

  const readOnly = catalogue.filter(
    ({ origin, annotations }) => origin === 'builtin' && annotations.readOnlyHint,
  );
  const unlisted: Scope = {
    granted: readOnly.map(({ name }) => name),
    available: readOnly,
    unknown: [],
    includes: (tool) => readOnly.includes(tool),
    explain(name) {
      const tool = index.find(name);
      return { allowed: tool !== undefined && readOnly.includes(tool), rule: null, index: null, via: [] };
    },
  };

  return {
    problems: parsed.problems,
    expand(declared) {
      if (declared === null) return unlisted;
      const same = seen.get(declared);
      if (same) return same;
      const key = JSON.stringify(declared);
      const scope = kept.get(key) ?? expandList(declared);
      if (kept.size >= KEPT_SCOPES) kept.clear();
      kept.set(key, scope);
      seen.set(declared, scope);
      return scope;
    },
  };
}

interface Entries {
  /** In the order of the catalogue; for a group, in the order of its entries. */
  tools(body: string): readonly ToolDescriptor[];
  /** The groups on the way to the match; null without one. Works for missing tools, too. */
  match(body: string, tool: Named): readonly GroupStep[] | null;
  /** The groups on the way to the `!` entry that keeps a tool out of a group; null if none does. */
  exclusion(body: string, tool: Named): readonly GroupStep[] | null;
  isUnknown(body: string): boolean;
}

/** The tools that each entry grants. A group grants what its entries add, minus what they remove. */
function createEntries(
  catalogue: readonly ToolDescriptor[],
  index: ToolIndex,
  { members }: ParsedGroups,
): Entries {
  const selected = new Map<string, readonly ToolDescriptor[]>();
  const globs = new Map<string, (tool: Named) => boolean>();

  function globOf(body: string): (tool: Named) => boolean {
    const known = globs.get(body);
    if (known) return known;
    const fits = compileGlob(body);
    const matches = ({ name, displayName }: Named): boolean => fits(name) || fits(displayName);
    globs.set(body, matches);
    return matches;
  }

  function tools(body: string): readonly ToolDescriptor[] {
    const known = selected.get(body);
    if (known) return known;
    const found = select(body);
    selected.set(body, found);
    return found;
  }

  function select(body: string): readonly ToolDescriptor[] {
    const group = members(body);
    if (!group) return body.includes('*') ? catalogue.filter(globOf(body)) : index.all(body);
    const of = (negated: boolean) =>
      new Set(group.filter((each) => each.negated === negated).flatMap((each) => tools(each.body)));
    const away = of(true);
    return [...of(false)].filter((tool) => !away.has(tool));
  }

  function match(
    body: string,
    tool: Named,
    seen = new Map<string, readonly GroupStep[] | null>(),
  ): readonly GroupStep[] | null {
    const group = members(body);
    if (!group) return matchesName(body, tool) ? [] : null;
    const known = seen.get(body);
    if (known !== undefined) return known;
    const found = matchGroup(body, group, tool, seen);
    seen.set(body, found);
    return found;
  }

  function matchGroup(
    group: string,
    entries: readonly ScopeEntry[],
    tool: Named,
    seen: Map<string, readonly GroupStep[] | null>,
  ): readonly GroupStep[] | null {
    if (entries.some(({ negated, body }) => negated && match(body, tool, seen))) return null;
    for (const { body, text, negated, index: at } of entries) {
      const via = negated ? null : match(body, tool, seen);
      if (via) return [{ group, entry: text, index: at }, ...via];
    }
    return null;
  }

  function matchesName(body: string, tool: Named): boolean {
    return body.includes('*') ? globOf(body)(tool) : body === tool.name || body === tool.displayName;
  }

  /** Whether a group would contain a tool without its exclusions. */
  function wouldMatch(body: string, tool: Named, seen: Map<string, boolean>): boolean {
    const group = members(body);
    if (!group) return matchesName(body, tool);
    const known = seen.get(body);
    if (known !== undefined) return known;
    const found = group.some((entry) => !entry.negated && wouldMatch(entry.body, tool, seen));
    seen.set(body, found);
    return found;
  }

  function exclusion(
    body: string,
    tool: Named,
    seen = { would: new Map<string, boolean>(), visited: new Set<string>() },
  ): readonly GroupStep[] | null {
    const group = members(body);
    if (!group || seen.visited.has(body) || !wouldMatch(body, tool, seen.would)) return null;
    seen.visited.add(body);
    for (const { body: inner, text, negated, index: at } of group) {
      const via = negated ? match(inner, tool) : exclusion(inner, tool, seen);
      if (via) return [{ group: body, entry: text, index: at }, ...via];
    }
    return null;
  }

  return {
    tools,
    exclusion: (body, tool) => exclusion(body, tool),
    match: (body, tool) => match(body, tool),
    isUnknown: (body) => !members(body) && !body.includes('*') && index.all(body).length === 0,
  };
}
