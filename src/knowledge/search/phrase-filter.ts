import type { IndexConnection, IndexValue } from '../index/index-connection.ts';
import { exactPhrase, foldPlaced, hasPhrase, narrowingOf, quotedTerms } from './exact-phrase.ts';
import type { QueryPlan } from './query-plan.ts';
import type { DocumentFilter } from './search-filters.ts';

/** Title, path, each heading and the text, with a break between them that no phrase crosses. */
const TEXT = `document.title || char(57344) || document.path || char(57344)
  || replace(chunk.headings, '","', char(57344)) || char(57344) || chunk.body`;

/** Adds the operators of the question to the filter. The result is a condition on rows of `chunk` and `document`. */
export function withRequirements(
  connection: IndexConnection,
  filter: DocumentFilter,
  { required, excluded, phrases }: QueryPlan,
): DocumentFilter {
  const conditions = filter.sql === null ? [] : [filter.sql];
  const params: IndexValue[] = [...filter.params];
  const passagesWith = (match: string) => {
    params.push(match);
    return '(SELECT rowid FROM passage WHERE passage MATCH ?)';
  };
  const must = [...required.map(quotedTerms), ...phrases.required.flatMap(narrowingOf)];
  if (must.length > 0) conditions.push(`chunk.id IN ${passagesWith(must.join(' AND '))}`);
  if (excluded.length > 0) {
    conditions.push(`chunk.id NOT IN ${passagesWith(excluded.map(quotedTerms).join(' OR '))}`);
  }
  if (phrases.required.length > 0 || phrases.excluded.length > 0) {
    const exact = definePhrases(connection, phrases);
    // Without required words, only passages that may contain an excluded phrase have to be read.
    const suspects = must.length > 0 ? [] : phrases.excluded.map((text) => narrowingOf(text).join(' AND '));
    conditions.push(
      suspects.length === 0 || suspects.includes('')
        ? exact
        : `(chunk.id NOT IN ${passagesWith(suspects.map((match) => `(${match})`).join(' OR '))} OR ${exact})`,
    );
  }
  return { ...filter, sql: conditions.length === 0 ? null : conditions.join(' AND '), params };
}

function definePhrases(connection: IndexConnection, phrases: QueryPlan['phrases']): string {
  const read = (texts: readonly string[]) => texts.map(exactPhrase).filter((one) => one !== null);
  const [wanted, unwanted] = [read(phrases.required), read(phrases.excluded)];
  connection.define('phrases_pass', (text) => {
    const folded = foldPlaced(text);
    return wanted.every((one) => hasPhrase(folded, one)) && !unwanted.some((one) => hasPhrase(folded, one));
  });
  return `phrases_pass(${TEXT})`;
}
