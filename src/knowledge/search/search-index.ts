import type { SearchAnswer, SearchMode, SearchQuery } from '../../contract/knowledge.ts';
import type { IndexConnection } from '../index/index-connection.ts';
import { readSnapshot } from '../index/index-memory.ts';
import type { SearchScope } from '../index/index-reader.ts';
import { loadVectorTables } from '../index/vector-tables.ts';
import { namedSources } from '../source-reference.ts';
import { quotedTerms } from './exact-phrase.ts';
import { type QueryVector, rankResults } from './rank-results.ts';
import { hasOperators, parseProse, parseQuery, type ParsedQuery } from './query-parse.ts';
import { planQuery } from './query-plan.ts';
import { type RetrievalSettings, retrievalSettings } from './retrieval-settings.ts';
import { compileFilters, type DocumentFilter } from './search-filters.ts';
import { readHits } from './search-hits.ts';
import { wordsOf } from './text-terms.ts';
import { findModel } from './vectors/vector-search.ts';

export interface SearchTools {
  /** Only called where the mode needs it. `problem` is null where nothing is wrong. */
  embedQuery(text: string, wanted: boolean): Promise<QueryVector>;
  /** For benchmarks: whether to use relevance feedback. */
  feedback?: boolean;
}

/** Runs one search. */
export async function searchIndex(
  connection: IndexConnection,
  query: SearchQuery,
  scope: SearchScope,
  tools: SearchTools,
): Promise<SearchAnswer> {
  const startedAt = performance.now();
  const { settings, notes } = retrievalSettings(scope.retrieval, query);
  const parsed = parseQuery(query.query);
  const vector = await embedIfWanted(connection, query, scope, { settings, plain: parsed.plain, tools });

  // One snapshot for sources, terms and texts, so that visibility is checked on the state that is read.
  return readSnapshot(connection, (memory) => {
    const embedded = stillThere(connection, vector);
    if (!('vector' in embedded) && embedded.problem !== null) notes.push(embedded.problem);
    const mode: SearchMode = 'vector' in embedded ? (settings.mode ?? 'hybrid') : 'keyword';
    const filter = compileFilters(connection, scope, query.filters, memory);
    const named = namedSources(query.filters?.source);
    if (!filter.possible && named.length > 0) {
      const quoted = named.map((name) => JSON.stringify(name)).join(' or ');
      notes.push(`Source ${quoted} not found, or it has no documents; see \`sources\`.`);
    }
    const search = (question: ParsedQuery) => {
      const plan = planQuery(connection, question, (term) => isVisible(connection, filter, term), memory);
      const request = { plan, filter, settings, mode, embedded, feedback: tools.feedback ?? true };
      return { plan, ...rankResults(connection, memory, request) };
    };
    let found = search(parsed);
    if (parsed.onlyExcludes && found.groups.length > 0) notes.push(ONLY_EXCLUDES);
    if (found.groups.length === 0 && hasOperators(parsed)) {
      const relaxed = search(parseProse(query.query));
      if (relaxed.groups.length > 0) {
        found = relaxed;
        notes.push(relaxedNote(parsed));
      }
    }
    const { plan, groups } = found;
    for (const [typed, meant] of Object.entries(plan.corrected)) {
      notes.push(`${JSON.stringify(typed)} is in no document; searched for ${JSON.stringify(meant)}.`);
    }
    const explain = query.explain === true;
    return {
      mode,
      results: readHits(connection, plan, groups, { memory, explain }),
      notes,
      ...(explain && {
        explain: {
          terms: plan.terms.map(({ term }) => term),
          expanded: found.added.map(({ id, weight }) => ({ term: termOf(connection, id), weight })),
          corrected: plan.corrected,
          vectorWeight: mode === 'hybrid' ? found.vectorWeight : null,
          candidates: found.candidates,
          tookMs: performance.now() - startedAt,
        },
      }),
    };
  });
}

const ONLY_EXCLUDES = 'The query only excludes words; searched for these words instead.';

/** Says which operators were dropped because nothing matches them. */
function relaxedNote({ written, phrases }: ParsedQuery): string {
  const quoted = (texts: readonly string[]) => texts.map((text) => JSON.stringify(text)).join(' and ');
  if (phrases.required.length > 0) {
    return `No document has the exact phrase ${quoted(phrases.required)}; searched for the words instead.`;
  }
  if (written.excluded.length > 0) {
    return `Every result contains ${quoted(written.excluded)}; searched without excluding it.`;
  }
  return `No document has all of ${quoted(written.required)}; searched for any of them.`;
}

async function embedIfWanted(
  connection: IndexConnection,
  { filters }: SearchQuery,
  scope: SearchScope,
  { settings, plain, tools }: { settings: RetrievalSettings; plain: string; tools: SearchTools },
): Promise<QueryVector> {
  // Punctuation has no meaning, but an encoder would still find something near it.
  if (settings.mode === 'keyword' || wordsOf(plain).length === 0) return { problem: null };
  const { possible } = readSnapshot(connection, (memory) =>
    compileFilters(connection, scope, filters, memory),
  );
  return possible ? tools.embedQuery(plain, settings.mode !== null) : { problem: null };
}

/** The vectors may have been rebuilt while the question was being embedded. */
function stillThere(connection: IndexConnection, vector: QueryVector): QueryVector {
  if (!('vector' in vector)) return vector;
  const model = findModel(connection, vector.model.fingerprint);
  if (model?.dims !== vector.vector.length) {
    return { problem: 'The embeddings are being rebuilt. Used keyword search.' };
  }
  loadVectorTables(connection);
  return { ...vector, model };
}

/** Terms of documents that the caller may not see are never suggested. */
function isVisible(connection: IndexConnection, filter: DocumentFilter, term: string): boolean {
  if (filter.sql === null) return filter.possible;
  const row = connection.one(
    `SELECT 1 FROM passage CROSS JOIN forward ON forward.chunk = passage.rowid
     CROSS JOIN document ON document.id = forward.document WHERE passage MATCH ? AND ${filter.sql} LIMIT 1`,
    quotedTerms([term]),
    ...filter.params,
  );
  return row !== undefined;
}

const termOf = (connection: IndexConnection, id: number): string =>
  String(connection.one('SELECT term FROM term WHERE id = ?', id)?.term ?? '');
