export type ToolGroups = Readonly<Record<string, readonly string[]>>;

/** An entry of a list of tools: a name, a glob or a group, granted or removed. */
export interface ScopeEntry {
  text: string;
  body: string;
  negated: boolean;
  index: number;
}

export function parseEntries(list: readonly string[]): ScopeEntry[] {
  return list.map((text, index) =>
    text.startsWith('!')
      ? { text, body: text.slice(1), negated: true, index }
      : { text, body: text, negated: false, index },
  );
}

/** A dropped entry: the group would contain itself or be nested too deeply. */
export interface GroupProblem {
  group: string;
  entry: string;
  index: number;
  why: 'cycle' | 'depth';
}

export interface ParsedGroups {
  /** The entries of a group, without dropped ones; undefined for other names. */
  members(group: string): readonly ScopeEntry[] | undefined;
  problems: readonly GroupProblem[];
}

const DEEPEST = 30;

/** Groups may contain groups. They are walked once, by name, so that the result does not depend on their order. */
export function parseGroups(groups: ToolGroups): ParsedGroups {
  const entries = new Map<string, readonly ScopeEntry[]>();
  const heights = new Map<string, number>();
  const problems: GroupProblem[] = [];

  function walk(group: string, path: readonly string[]): void {
    const kept: ScopeEntry[] = [];
    let height = 0;
    for (const entry of parseEntries(groups[group] ?? [])) {
      const inner = Object.hasOwn(groups, entry.body) ? entry.body : null;
      if (inner === null) {
        kept.push(entry);
        continue;
      }
      const cyclic = inner === group || path.includes(inner);
      if (!cyclic && path.length < DEEPEST && !heights.has(inner)) walk(inner, [...path, group]);
      const below = heights.get(inner);
      if (cyclic || below === undefined || below >= DEEPEST) {
        const why = cyclic ? 'cycle' : 'depth';
        problems.push({ group, entry: entry.text, index: entry.index, why });
        continue;
      }
      height = Math.max(height, below + 1);
      kept.push(entry);
    }
    entries.set(group, kept);
    heights.set(group, height);
  }

  for (const group of Object.keys(groups).toSorted()) if (!heights.has(group)) walk(group, []);
  return { members: (group) => entries.get(group), problems };
}
