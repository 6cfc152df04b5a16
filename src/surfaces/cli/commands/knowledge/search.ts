import type { SearchMode } from '../../../../contract/knowledge.ts';
import { wrongUsage } from '../../output/failure.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { firstLine } from '../../render/layout.ts';
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
  words: readonly string[],
  { mode, limit, explain, ...filters }: SearchOptions,
): Promise<void> {
  const query =
    words.length === 1 && words[0] === '-' ? (await call.terminal.readInput()).trim() : words.join(' ');
  if (query === '') throw wrongUsage('the query is empty', 'zoo search "how do I restart it?"');
  const body = {
    query,
    ...(mode === undefined ? {} : { mode }),
    ...(limit === undefined ? {} : { limit }),
    ...(explain === undefined ? {} : { explain }),
    ...(Object.keys(filters).length === 0 ? {} : { filters }),
  };
  const answer = await withClient(call, (client) => client.call('searchKnowledge', { body }));
  print(call, answer, () => renderSearch(answer, call));
  if (call.json) return;
  if (answer.results.length === 0) say(call, `No results for "${firstLine(query, 80)}".`);
  for (const note of answer.notes) say(call, note);
}
