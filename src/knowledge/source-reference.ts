import type { SearchFilters } from '../contract/knowledge.ts';

/** Whether `TYPE:NAME`, a name or a type means this source. */
export function meansSource(reference: string, { type, name }: { type: string; name: string }): boolean {
  return reference === `${type}:${name}` || reference === name || reference === type;
}

/** The sources that a filter names; none where it says nothing. */
export function namedSources(source: SearchFilters['source']): string[] {
  return (typeof source === 'string' ? [source] : (source ?? [])).filter((name) => name !== '');
}
