import type { ScopePreview } from '../../../../../src/contract/scope.ts';
import type { ToolDescriptor } from '../../../../../src/contract/tool.ts';

type Named = Pick<ToolDescriptor, 'name' | 'displayName'>;

/** `*` stands for any text, as in the scope of the hub. */
function matchesGlob(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length && name.endsWith(last);
}

const isName = (entry: string, { name, displayName }: Named): boolean =>
  entry === name || entry === displayName;

/** Whether an entry may cover the tool without naming it. What a group holds is known to the hub alone. */
function mayCover(entry: string, tool: Named, groups: ReadonlySet<string>): boolean {
  if (entry.startsWith('!') || isName(entry, tool)) return false;
  if (groups.has(entry)) return true;
  return entry.includes('*') && (matchesGlob(entry, tool.name) || matchesGlob(entry, tool.displayName));
}

/** The list that stands for what an agent without one has. */
export function listOf(
  declared: readonly string[] | null,
  tools: readonly Named[],
  preview: ScopePreview,
): readonly string[] {
  if (declared !== null) return declared;
  const allowed = new Set(preview.tools.filter((tool) => tool.allowed).map(({ name }) => name));
  return tools.filter(({ name }) => allowed.has(name)).map(({ displayName }) => displayName);
}

/** The list with these tools granted. Entries that exclude one of them by name are dropped. */
export function grant(list: readonly string[], tools: readonly Named[], preview: ScopePreview): string[] {
  const groups = new Set(preview.groups.map(({ name }) => name));
  return tools.reduce<string[]>(
    (entries, tool) => {
      const kept = entries.filter((entry) => !(entry.startsWith('!') && isName(entry.slice(1), tool)));
      const isGlobbed = kept.some((entry) => !groups.has(entry) && mayCover(entry, tool, groups));
      const isThere = kept.some((entry) => isName(entry, tool)) || isGlobbed;
      return isThere ? kept : [...kept, tool.displayName];
    },
    [...list],
  );
}

/** The list without these tools: their own entries go, and what a glob or group still covers is excluded. */
export function revoke(list: readonly string[], tools: readonly Named[], preview: ScopePreview): string[] {
  const groups = new Set(preview.groups.map(({ name }) => name));
  return tools.reduce<string[]>(
    (entries, tool) => {
      const kept = entries.filter((entry) => !isName(entry, tool));
      const isExcluded = kept.some((entry) => entry.startsWith('!') && isName(entry.slice(1), tool));
      const isCovered = kept.some((entry) => mayCover(entry, tool, groups));
      return isCovered && !isExcluded ? [...kept, `!${tool.displayName}`] : kept;
    },
    [...list],
  );
}
