import type { Config } from '../../contract/config.ts';
import type { SearchMode } from '../../contract/knowledge.ts';

/** `[retrieval]` with its defaults. */
export interface RetrievalSettings {
  limit: number;
  /** Null means hybrid if there are vectors, otherwise keyword. */
  mode: SearchMode | null;
  /** The weight of vectors in a hybrid search; null for the default. */
  alpha: number | null;
  keywordCandidates: number;
  vectorCandidates: number;
  passages: number;
  groupBy: 'document' | 'chunk';
  aggregate: 'max' | 'sum' | 'mean';
  minRelevance: number;
}

const DEFAULT_LIMIT = 12;
const DEFAULT_CANDIDATES = 200;
const DEFAULT_PASSAGES = 3;
/** Low enough to return every keyword match, but no unrelated vectors. */
const DEFAULT_MIN_RELEVANCE = 0.01;

const groupings: Readonly<Record<string, RetrievalSettings['groupBy']>> = {
  document: 'document',
  doc: 'document',
  chunk: 'chunk',
  passage: 'chunk',
  none: 'chunk',
};

const aggregates: Readonly<Record<string, RetrievalSettings['aggregate']>> = {
  max: 'max',
  sum: 'sum',
  mean: 'mean',
  avg: 'mean',
  average: 'mean',
};

/** Unknown values are reported in `notes` and replaced by the default. */
export function retrievalSettings(
  config: NonNullable<Config['retrieval']>,
  query: { limit?: number | undefined; mode?: SearchMode | undefined },
): { settings: RetrievalSettings; notes: string[] } {
  const notes: string[] = [];
  const limit = query.limit ?? config.final_limit ?? DEFAULT_LIMIT;
  const known = <T>(key: 'group_by' | 'doc_agg', words: Readonly<Record<string, T>>, fallback: T): T => {
    const word = config[key];
    if (word === undefined) return fallback;
    const meaning = words[word.toLowerCase()];
    if (meaning === undefined) {
      notes.push(
        `[retrieval] ${key} = ${JSON.stringify(word)} is not one of ${Object.keys(words).join(', ')}.`,
      );
    }
    return meaning ?? fallback;
  };
  return {
    settings: {
      limit,
      mode: query.mode ?? config.mode ?? null,
      alpha: config.hybrid_alpha ?? null,
      // Several chunks of one document are one result, so more candidates than results are needed.
      keywordCandidates: Math.max(config.candidate_k_keyword ?? DEFAULT_CANDIDATES, limit),
      vectorCandidates: Math.max(config.candidate_k_vector ?? DEFAULT_CANDIDATES, limit),
      passages: config.max_chunks_per_doc ?? DEFAULT_PASSAGES,
      groupBy: known('group_by', groupings, 'document'),
      aggregate: known('doc_agg', aggregates, 'max'),
      minRelevance: config.min_relevance ?? DEFAULT_MIN_RELEVANCE,
    },
    notes,
  };
}
