import type { SearchMode } from '../../contract/knowledge.ts';
import type { IndexConnection } from '../index/index-connection.ts';
import type { IndexMemory } from '../index/index-memory.ts';
import { fuseRankings } from './fusion.ts';
import { type Candidate, type Group, groupCandidates } from './group-candidates.ts';
import { searchKeywords } from './keyword-search.ts';
import { withRequirements } from './phrase-filter.ts';
import { fullScore, type QueryPlan } from './query-plan.ts';
import type { RetrievalSettings } from './retrieval-settings.ts';
import type { DocumentFilter } from './search-filters.ts';
import type { RankedGroup } from './search-hits.ts';
import { relevanceOf } from './vectors/similarity-scale.ts';
import { nearestOf, recallVectors } from './vectors/vector-memory.ts';
import { searchVectors, type VectorModel } from './vectors/vector-search.ts';

/** The weight of vectors in a hybrid search: a weak encoder does little harm, and a good one still helps. */
const VECTOR_WEIGHT = 0.25;

/** The vector of a question, or why there is none. */
export type QueryVector = { model: VectorModel; vector: Float32Array } | { problem: string | null };

interface RankRequest {
  plan: QueryPlan;
  filter: DocumentFilter;
  settings: RetrievalSettings;
  mode: SearchMode;
  embedded: QueryVector;
  feedback: boolean;
}

/** The results by keywords, by vectors or by both, best first. */
export function rankResults(connection: IndexConnection, memory: IndexMemory, request: RankRequest) {
  const { plan, settings, mode, embedded, feedback } = request;
  const filter = withRequirements(connection, request.filter, plan);
  const words =
    mode === 'semantic' || !filter.possible
      ? { candidates: [], added: [] }
      : searchKeywords(connection, memory, plan, filter, {
          // In a hybrid search other documents may come first, so it needs all candidates.
          results: mode === 'hybrid' ? settings.keywordCandidates : settings.limit,
          limit: settings.keywordCandidates,
          feedback,
        });
  const vectors = mode === 'keyword' ? [] : nearestChunks(connection, memory, request, filter);
  const vectorWeight = mode === 'keyword' ? 0 : mode === 'semantic' ? 1 : (settings.alpha ?? VECTOR_WEIGHT);
  const byWords = rankedGroups(words.candidates, settings);
  const byMeaning = rankedGroups(vectors, settings);
  const fused = fuse(byWords, byMeaning, mode, vectorWeight);

  const full = fullScore(plan);
  const groups: RankedGroup[] = [];
  let most = 1;
  for (const { item: key, score } of fused) {
    if (groups.length >= settings.limit) break;
    const [word, meaning] = [byWords.get(key), byMeaning.get(key)];
    const byWord = word === undefined ? 0 : full === 0 ? 1 : bestScore(word.group) / full;
    const byVector =
      meaning === undefined || !('vector' in embedded)
        ? 0
        : relevanceOf(bestScore(meaning.group), embedded.model);
    const relevance = combined(byWord, byVector, mode === 'semantic' ? 1 : vectorWeight);
    if (relevance < settings.minRelevance) continue;
    // The rankings may disagree; a result never gets a higher relevance than the one above it.
    most = Math.min(most, relevance);
    groups.push({
      chunks: mergeChunks(word?.group, meaning?.group, vectorWeight).slice(0, settings.passages),
      score,
      relevance: most,
      keyword: word ? { rank: word.rank, score: word.group.score } : null,
      vector: meaning ? { rank: meaning.rank, score: meaning.group.score } : null,
    });
  }
  const candidates = new Set([...words.candidates, ...vectors].map(({ chunk }) => chunk)).size;
  return { groups, vectorWeight, added: words.added, candidates };
}

const bestScore = ({ chunks }: Group): number => chunks[0]?.score ?? 0;

/** Combines the relevance by keywords with that by vectors, which is scaled by its weight. */
const combined = (words: number, meaning: number, weight: number): number =>
  Math.min(1, 1 - (1 - Math.min(1, words)) * (1 - weight * meaning));

type Ranked = ReadonlyMap<number, { rank: number; group: Group }>;

const rankedGroups = (candidates: readonly Candidate[], settings: RetrievalSettings): Ranked =>
  new Map(groupCandidates(candidates, settings).map((group, at) => [group.key, { rank: at + 1, group }]));

function fuse(
  byWords: Ranked,
  byMeaning: Ranked,
  mode: SearchMode,
  vectorWeight: number,
): { item: number; score: number }[] {
  if (mode === 'keyword') return Array.from(byWords, ([item, { group }]) => ({ item, score: group.score }));
  return fuseRankings([
    { order: [...byWords.keys()], weight: 1 - vectorWeight },
    { order: [...byMeaning.keys()], weight: vectorWeight },
  ]);
}

function nearestChunks(
  connection: IndexConnection,
  memory: IndexMemory,
  { embedded, settings }: RankRequest,
  filter: DocumentFilter,
): Candidate[] {
  if (!('vector' in embedded) || !filter.possible) return [];
  const { model, vector } = embedded;
  const known = filter.sql === null ? recallVectors(connection, memory.vectors, model) : null;
  return known
    ? nearestOf(known, vector, settings.vectorCandidates)
    : searchVectors(connection, model, vector, filter, settings.vectorCandidates);
}

/** The best passages of one result, by keywords and by vectors. */
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
