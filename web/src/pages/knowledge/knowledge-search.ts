import type { SearchMode } from '../../../../src/contract/knowledge.ts';

/** What the address of the knowledge page says. */
export interface KnowledgeSearch {
  q?: string | undefined;
  mode?: SearchMode | undefined;
  source?: string | undefined;
  path?: string | undefined;
  /** The open document, or one passage of it. */
  doc?: string | undefined;
}

export const searchModes: readonly { value: SearchMode; label: string }[] = [
  { value: 'keyword', label: 'Words' },
  { value: 'hybrid', label: 'Both' },
  { value: 'semantic', label: 'Meaning' },
];

export function readKnowledgeSearch(search: Record<string, unknown>): KnowledgeSearch {
  const mode = searchModes.find(({ value }) => value === search['mode'])?.value;
  return {
    ...textOf('q', search),
    ...textOf('source', search),
    ...textOf('path', search),
    ...textOf('doc', search),
    ...(mode === undefined ? {} : { mode }),
  };
}

function textOf<K extends string>(key: K, search: Record<string, unknown>): { [key in K]?: string };
function textOf(key: string, search: Record<string, unknown>): Record<string, string> {
  const value = search[key];
  // The router reads `?q=42` as a number.
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? { [key]: text } : {};
}
