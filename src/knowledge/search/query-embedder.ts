import { embedTexts, encoderOf } from '../embedding/embed-texts.ts';
import { EmbeddingFailure } from '../embedding/embedding-failure.ts';
import type { EmbeddingConfig } from '../embedding/embedding-provider.ts';
import type { IndexConnection } from '../index/index-connection.ts';
import type { QueryVector } from './rank-results.ts';
import { findModel } from './vectors/vector-search.ts';

/** Someone is waiting: falling back to keyword search is better than a late answer. */
const QUERY_TIMEOUT_SECS = 10;
const KEPT_VECTORS = 200;

export interface QueryEmbedder {
  /**
   * The vector of a query, or why there is none.
   * @param query `wanted`: semantic search was requested, so a note explains if it is unavailable
   */
  embed(
    connection: IndexConnection,
    config: EmbeddingConfig,
    query: { text: string; wanted: boolean },
    signal: AbortSignal,
  ): Promise<QueryVector>;
}

/** Remembers the vectors of recent queries. */
export function createQueryEmbedder(): QueryEmbedder {
  const vectors = new Map<string, Float32Array>();
  return {
    async embed(connection, config, { text, wanted }, signal) {
      const encoder = encoderOf(config);
      const no = (problem: string) => ({ problem: wanted ? `${problem} Used keyword search.` : null });
      if (!encoder) return no('Semantic search is not available: [embedding] provider is disabled.');
      const model = findModel(connection, encoder.fingerprint);
      if (!model || model.vectors === 0) {
        return no(`There are no embeddings of ${encoder.model} yet: run \`zoo sync\`.`);
      }
      const key = `${encoder.fingerprint}\0${text}`;
      try {
        const hurried = Math.min(config.timeout_secs ?? QUERY_TIMEOUT_SECS, QUERY_TIMEOUT_SECS);
        const vector =
          vectors.get(key) ??
          (
            await embedTexts({ ...encoder, config: { ...config, timeout_secs: hurried } }, [text], 'query', {
              signal,
              retries: 0,
            })
          )[0];
        if (vector?.length !== model.dims) {
          return {
            problem: `${encoder.model} now returns embeddings of another size: run \`zoo embed rebuild\`. Used keyword search.`,
          };
        }
        if (vectors.size >= KEPT_VECTORS) vectors.clear();
        vectors.set(key, vector);
        return { model, vector };
      } catch (error) {
        if (!(error instanceof EmbeddingFailure)) throw error;
        return { problem: `The query could not be embedded: ${error.message}. Used keyword search.` };
      }
    },
  };
}
