import type { SearchAnswer, SearchMode, SearchQuery } from '../../contract/knowledge.ts';
import type { Candidate } from './candidate.ts';
import { createEntryReader, type EntryReader } from '../index/entry-reader.ts';
import { fuseRankings } from './fusion.ts';
import { type Group, groupCandidates } from './group-candidates.ts';
import type { IndexConnection } from '../index/index-connection.ts';
import { type IndexMemory, readSnapshot } from '../index/index-memory.ts';
import type { SearchScope } from '../index/index-reader.ts';
import { searchKeywords } from './keyword-search.ts';
import { phrase } from './match-expression.ts';
import { withRequirements } from './phrase-filter.ts';
import { parseQuery } from './query-parse.ts';
import { planQuery, type QueryPlan } from './query-plan.ts';
import { combinedRelevance, coverage, enoughOf, matchedTerms } from './relevance.ts';
import { type RetrievalSettings, retrievalSettings } from './retrieval-settings.ts';
import { compileFilters, type DocumentFilter } from './search-filters.ts';
import { type RankedGroup, readHits } from './search-hits.ts';
import { namedSources } from '../source-reference.ts';
import { wordsOf } from './text-terms.ts';
import { nearestOf, recallVectors } from './vector-memory.ts';
import { type EncoderTrust, findModel, searchVectors, type VectorModel } from './vector-search.ts';
import { loadVectorTables } from '../index/vector-tables.ts';

/** The vectors that a search may use, or why there are none. */
export type QueryVector = { model: VectorModel; vector: Float32Array } | { problem: string | null };

export interface SearchTools {
  /** Is only called where the mode wants it. `problem` is null where there is nothing to complain about. */
  embedQuery(text: string, wanted: boolean): Promise<QueryVector>;
  /** For measurements: what relevance feedback adds. */
  feedback?: boolean;
}

/** Before a collection has shown what its encoder is worth, it has little to say. */
const UNTRIED: EncoderTrust = { weight: 0.25, unrelated: 0.3, related: 0.9, vectors: 0 };

/** One search from the question to the answer. */
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

  // Sources, terms and texts of one moment: what may be seen is decided by what is there.
  return readSnapshot(connection, (memory) => {
    const embedded = stillThere(connection, vector);
    const hasVectors = 'vector' in embedded;
    const mode: SearchMode = hasVectors ? (settings.mode ?? 'hybrid') : 'keyword';
    const filter = compileFilters(connection, scope, query.filters, memory);
    const named = namedSources(query.filters?.source);
    if (!filter.possible && named.length > 0) {
      const quoted = named.map((name) => JSON.stringify(name)).join(' or ');
      notes.push(`There is no source ${quoted} with documents here; see \`sources\`.`);
    }
    const plan = planQuery(connection, parsed, (term) => isVisible(connection, filter, term), memory);
    for (const [typed, meant] of Object.entries(plan.corrected)) {
      notes.push(`${JSON.stringify(typed)} is in no document; searched for ${JSON.stringify(meant)}.`);
    }
    if (!hasVectors && embedded.problem !== null) notes.push(embedded.problem);
    const entries = createEntryReader(connection, memory);
    const feedback = tools.feedback ?? true;
    const request = { memory, plan, filter, settings, mode, embedded, feedback };
    const found = rank(connection, entries, request);
    const explain = query.explain === true;
    return {
      mode,
      results: readHits(connection, plan, found.groups, { memory, entries, explain }),
      notes,
      ...(explain && {
        explain: {
          terms: plan.terms.map(({ term }) => term),
          expanded: found.expansion.map(({ id, weight }) => ({ term: termOf(connection, id), weight })),
          corrected: plan.corrected,
          vectorWeight: mode === 'hybrid' ? found.vectorWeight : null,
          candidates: found.countCandidates(),
          tookMs: performance.now() - startedAt,
        },
      }),
    };
  });
}

async function embedIfWanted(
  connection: IndexConnection,
  { filters }: SearchQuery,
  scope: SearchScope,
  { settings, plain, tools }: { settings: RetrievalSettings; plain: string; tools: SearchTools },
): Promise<QueryVector> {
  // Punctuation means nothing, and yet every encoder puts it near to something.
  if (settings.mode === 'keyword' || wordsOf(plain).length === 0) return { problem: null };
  const { possible } = readSnapshot(connection, (memory) =>
    compileFilters(connection, scope, filters, memory),
  );
  return possible ? tools.embedQuery(plain, settings.mode !== null) : { problem: null };
}

/** While a question was being embedded, the vectors that it is to be compared with may have been made anew. */
function stillThere(connection: IndexConnection, vector: QueryVector): QueryVector {
  if (!('vector' in vector)) return vector;
  const model = findModel(connection, vector.model.fingerprint);
  if (model?.dims === vector.vector.length) return { ...vector, model };
  return { problem: 'The vectors are just being made anew. Searched by words.' };
}

/** A word of documents that the caller may not see is not one to tell them of. */
function isVisible(connection: IndexConnection, filter: DocumentFilter, term: string): boolean {
  if (filter.sql === null) return filter.possible;
  const row = connection.one(
    `SELECT 1 FROM passage CROSS JOIN forward ON forward.chunk = passage.rowid
     CROSS JOIN document ON document.id = forward.document WHERE passage MATCH ? AND ${filter.sql} LIMIT 1`,
    phrase([term]),
    ...filter.params,
  );
  return row !== undefined;
}

interface RankRequest {
  memory: IndexMemory;
  plan: QueryPlan;
  filter: DocumentFilter;
  settings: RetrievalSettings;
  mode: SearchMode;
  embedded: QueryVector;
  feedback: boolean;
}

/** Everything that is relevant enough, best first. */
function rank(connection: IndexConnection, entries: EntryReader, request: RankRequest) {
  const { plan, filter, settings, mode, embedded, memory } = request;
  const words =
    mode === 'semantic' || !filter.possible
      ? { candidates: [], expansion: [] }
      : searchKeywords(connection, plan, filter, entries, {
          // By meaning other documents may come first, so that needs all candidates.
          results: mode === 'hybrid' ? settings.keywordCandidates : settings.limit,
          limit: settings.keywordCandidates,
          feedback: request.feedback,
        });
  const vectors =
    mode === 'keyword' || !('vector' in embedded)
      ? []
      : nearestChunks(
          connection,
          memory,
          embedded,
          // What must be there, and what must not, holds for meaning as well.
          withRequirements(connection, filter, plan),
          settings.vectorCandidates,
        );
  const trust = ('vector' in embedded ? embedded.model.trust : null) ?? UNTRIED;
  const vectorWeight = mode === 'semantic' ? 1 : (settings.alpha ?? trust.weight);

  const byWords = groupCandidates(words.candidates, settings);
  const byMeaning = groupCandidates(vectors, settings);
  const [wordsOf, meaningOf] = [indexByKey(byWords), indexByKey(byMeaning)];
  const fused =
    mode === 'keyword'
      ? byWords.map(({ key, score }) => ({ item: key, score }))
      : fuseRankings([
          { order: byWords.map(({ key }) => key), weight: 1 - vectorWeight },
          { order: byMeaning.map(({ key }) => key), weight: vectorWeight },
        ]);

  const enough = enoughOf(plan.terms);
  const groups: RankedGroup[] = [];
  for (const { item: key, score } of fused) {
    if (groups.length >= settings.limit) break;
    const [byWord, byVector] = [wordsOf.get(key), meaningOf.get(key)];
    const chunks = mergeChunks(byWord?.group, byVector?.group, vectorWeight).slice(0, settings.passages);
    const covered = Math.max(0, ...chunks.map(({ chunk }) => coveredBy(chunk)));
    const meaning = byVector === undefined ? 0 : calibrated(byVector.group.chunks[0]?.score ?? 0, trust);
    const relevance =
      mode === 'semantic'
        ? meaning
        : mode === 'keyword'
          ? covered
          : combinedRelevance(covered, meaning, vectorWeight);
    if (relevance < settings.minRelevance) continue;
    groups.push({
      chunks,
      score,
      relevance,
      keyword: byWord ? { rank: byWord.rank, score: byWord.group.score } : null,
      vector: byVector ? { rank: byVector.rank, score: byVector.group.score } : null,
    });
  }

  function coveredBy(chunk: number): number {
    const entry = entries.read(chunk);
    return entry ? coverage(plan.terms, matchedTerms(plan.terms, entry), enough) : 0;
  }
  return {
    groups,
    vectorWeight,
    expansion: words.expansion,
    countCandidates: () => new Set([...words.candidates, ...vectors].map(({ chunk }) => chunk)).size,
  };
}

function nearestChunks(
  connection: IndexConnection,
  memory: IndexMemory,
  { model, vector }: { model: VectorModel; vector: Float32Array },
  filter: DocumentFilter,
  limit: number,
): Candidate[] {
  // For a model that is nowhere there is no table either.
  loadVectorTables(connection);
  const known = filter.sql === null ? recallVectors(connection, memory.vectors, model) : null;
  return known ? nearestOf(known, vector, limit) : searchVectors(connection, model, vector, filter, limit);
}

function indexByKey(groups: readonly Group[]): Map<number, { rank: number; group: Group }> {
  return new Map(groups.map((group, at) => [group.key, { rank: at + 1, group }]));
}

/** The best passages of one result, by both ways of looking. */
function mergeChunks(
  words: Group | undefined,
  vectors: Group | undefined,
  vectorWeight: number,
): Candidate[] {
  if (!vectors) return words?.chunks ?? [];
  if (!words) return vectors.chunks;
  const byChunk = new Map(
    [...vectors.chunks, ...words.chunks].map((candidate) => [candidate.chunk, candidate]),
  );
  return fuseRankings([
    { order: words.chunks.map(({ chunk }) => chunk), weight: 1 - vectorWeight },
    { order: vectors.chunks.map(({ chunk }) => chunk), weight: vectorWeight },
  ]).flatMap(({ item, score }) => {
    const candidate = byChunk.get(item);
    return candidate ? [{ ...candidate, score }] : [];
  });
}

/** A similarity as a relevance: 0 for what has nothing to do with it, 1 for what belongs together. */
function calibrated(similarity: number, { unrelated, related }: EncoderTrust): number {
  return Math.min(1, Math.max(0, (similarity - unrelated) / Math.max(1e-6, related - unrelated)));
}

const termOf = (connection: IndexConnection, id: number): string =>
  String(connection.one('SELECT term FROM term WHERE id = ?', id)?.term ?? '');
