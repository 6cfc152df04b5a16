import { exactPhrase, foldPlaced, hasPhrase, narrowingOf } from './exact-phrase.ts';
import type { IndexConnection, IndexValue } from '../index/index-connection.ts';
import { matchExpression } from './match-expression.ts';
import type { Phrases } from './query-parse.ts';
import type { QueryPlan } from './query-plan.ts';
import type { DocumentFilter } from './search-filters.ts';

/** Title, path, each heading and the text, with a break between them that no phrase goes across. */
const TEXT = `document.title || char(57344) || document.path || char(57344)
  || replace(chunk.headings, '","', char(57344)) || char(57344) || chunk.body`;

/** A condition on rows of `chunk` and `document`: that phrases are there, or not, as they are written. */
export function phraseCondition(connection: IndexConnection, phrases: Phrases): string | null {
  if (phrases.required.length === 0 && phrases.excluded.length === 0) return null;
  const read = (texts: readonly string[]) => texts.map(exactPhrase).filter((one) => one !== null);
  const [wanted, unwanted] = [read(phrases.required), read(phrases.excluded)];
  connection.define('phrases_pass', (text) => {
    const folded = foldPlaced(text);
    return wanted.every((one) => hasPhrase(folded, one)) && !unwanted.some((one) => hasPhrase(folded, one));
  });
  return `phrases_pass(${TEXT})`;
}

/** The filter with what the question itself asks to be there or not, for those who do not search by words. */
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
  const must = matchExpression({ terms: [], required, narrowing: phrases.required.flatMap(narrowingOf) });
  if (must !== null) conditions.push(`chunk.id IN ${passagesWith(must)}`);
  const not = matchExpression({ terms: [], sequences: excluded });
  if (not !== null) conditions.push(`chunk.id NOT IN ${passagesWith(not)}`);
  const exact = phraseCondition(connection, phrases);
  if (exact !== null) {
    // Without anything that must be there, only those that may have what must not be are worth reading.
    const suspects = must === null ? suspectsOf(phrases) : null;
    conditions.push(suspects === null ? exact : `(chunk.id NOT IN ${passagesWith(suspects)} OR ${exact})`);
  }
  return { ...filter, sql: conditions.length === 0 ? null : conditions.join(' AND '), params };
}

function suspectsOf({ excluded }: Phrases): string | null {
  const each = excluded.flatMap((text) => matchExpression({ terms: [], narrowing: narrowingOf(text) }) ?? []);
  return each.length === 0 ? null : each.map((match) => `(${match})`).join(' OR ');
}
