import type { SearchMode } from '../../../../contract/knowledge.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { renderSearch } from '../../render/search.ts';
import { withClient } from '../../hub-access/with-client.ts';

export interface SearchOptions {
  mode?: SearchMode;
  source?: string[];
  path?: string;
  since?: string;
  until?: string;
  metadata?: Record<string, string>;
  limit?: number;
  explain?: true;
}

export async function searchDocuments(
  call: Invocation,
  query: string,
  { mode, limit, explain, ...filters }: SearchOptions,
): Promise<void> {
  const body = {
    query,
    ...(mode === undefined ? {} : { mode }),
    ...(limit === undefined ? {} : { limit }),
    ...(explain === undefined ? {} : { explain }),
    ...(Object.keys(filters).length === 0 ? {} : { filters }),
  };
  const answer = await withClient(call, (client) => client.call('searchKnowledge', { body }));
  const { out } = call.terminal;
  print(call, answer, () => renderSearch(answer, call.paint, out.isTTY ? out.columns : Infinity));
  if (call.json) return;
  if (answer.results.length === 0) say(call, `Nothing was found for "${query}".`);
  for (const note of answer.notes) say(call, note);
}
