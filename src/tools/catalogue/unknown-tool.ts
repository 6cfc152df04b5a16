import { nearest } from '../../contract/nearest.ts';
import type { Catalogue } from './catalogue.ts';

/** Why an entry of a `tools` list matches nothing, and what was perhaps meant. */
export function describeUnknown(
  entry: string,
  catalogue: Catalogue,
  absence: (name: string) => string | null,
): string {
  const negated = entry.startsWith('!');
  const name = negated ? entry.slice(1) : entry;
  const effect = negated ? `'${entry}' removes nothing: tool` : 'Tool';
  const why = absence(name);
  if (why !== null) return `${effect} '${name}' is not available: ${why}`;
  const near = nearestTool(name, catalogue);
  return `${effect} '${name}' not found${near === null ? '' : `; did you mean '${near}'?`}`;
}

/** Never suggests the requested name itself, in either form. */
export function nearestTool(name: string, catalogue: Catalogue): string | null {
  const names = catalogue
    .descriptors()
    .filter((tool) => tool.name !== name && tool.displayName !== name)
    .flatMap((tool) => [tool.displayName, tool.name]);
  return nearest(name, names);
}
