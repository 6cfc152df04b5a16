import type { SearchMode } from '../../../../src/contract/knowledge.ts';
import { choiceIn, textsIn } from '../../app/address.ts';

/** Search parameters of the knowledge page. */
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
  const mode = choiceIn(
    search['mode'],
    searchModes.map(({ value }) => value),
  );
  return {
    ...textsIn(search, ['q', 'source', 'path', 'doc']),
    ...(mode === undefined ? {} : { mode }),
  };
}
