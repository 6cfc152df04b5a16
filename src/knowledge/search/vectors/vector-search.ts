import type { IndexConnection } from '../../index/index-connection.ts';
import { storedNumbers } from '../../index/index-rows.ts';
import type { Candidate } from '../group-candidates.ts';
import type { DocumentFilter } from '../search-filters.ts';
import { loadVectorTables, vectorTable } from '../../index/vector-tables.ts';

export interface VectorModel {
  id: number;
  fingerprint: string;
  dims: number;
  vectors: number;
  /** The similarity of unrelated texts; null until it has been measured. */
  unrelated: number | null;
  /** The number of vectors when it was measured. */
  measured: number;
}

/** Up to this size every vector is compared; above it, bits select candidates. */
const EXACT_UP_TO = 100_000;
/** Bits are coarse, so they select more candidates than needed. */
const OVERSAMPLING = 8;
const MOST_CANDIDATES = 4096;

export function findModel(connection: IndexConnection, fingerprint: string): VectorModel | null {
  const row = connection.one(
    'SELECT id, dims, vectors, unrelated, measured FROM model WHERE fingerprint = ?',
    fingerprint,
  );
  if (!row) return null;
  return {
    id: Number(row.id),
    fingerprint,
    dims: Number(row.dims),
    vectors: Number(row.vectors),
    unrelated: row.unrelated === null ? null : Number(row.unrelated),
    measured: Number(row.measured),
  };
}

/** The chunks nearest to the vector, nearest first; the score is the cosine of the angle between them. */
export function searchVectors(
  connection: IndexConnection,
  model: VectorModel,
  query: Float32Array,
  filter: DocumentFilter,
  limit: number,
  exactUpTo = EXACT_UP_TO,
): Candidate[] {
  loadVectorTables(connection);
  const nearest =
    model.vectors > exactUpTo && model.dims % 8 === 0
      ? nearestByBits(connection, model, query, filter, limit)
      : nearestExactly(connection, model, query, filter, limit);
  const scores = new Map(nearest.map(({ id, score }) => [id, score]));
  // Chunks with equal text share one vector.
  const row = connection.one(
    `SELECT json_group_array(vector.id) AS ids, json_group_array(chunk.id) AS chunks,
       json_group_array(forward.document) AS documents FROM json_each(?)
       CROSS JOIN vector ON vector.id = json_each.value CROSS JOIN chunk ON chunk.hash = vector.hash
       CROSS JOIN forward ON forward.chunk = chunk.id
       ${filter.sql === null ? '' : `CROSS JOIN document ON document.id = forward.document WHERE ${filter.sql}`}`,
    JSON.stringify([...scores.keys()]),
    ...filter.params,
  );
  const [chunks, documents] = [storedNumbers(row?.chunks), storedNumbers(row?.documents)];
  return storedNumbers(row?.ids)
    .map((id, at) => ({ chunk: chunks[at] ?? 0, document: documents[at] ?? 0, score: scores.get(id) ?? 0 }))
    .toSorted((a, b) => b.score - a.score);
}

function nearestExactly(
  connection: IndexConnection,
  model: VectorModel,
  query: Float32Array,
  filter: DocumentFilter,
  limit: number,
) {
  const { sql, params } = allowedVectors(model, filter);
  const row = connection.one(
    `SELECT json_group_array(id) AS ids, json_group_array(distance) AS distances
     FROM (SELECT rowid AS id, distance FROM ${vectorTable(model.id)} WHERE embedding MATCH ? AND k = ?${sql})`,
    bytesOf(query),
    Math.min(limit, MOST_CANDIDATES),
    ...params,
  );
  const distances = storedNumbers(row?.distances);
  return storedNumbers(row?.ids).map((id, at) => ({ id, score: 1 - (distances[at] ?? 0) }));
}

function nearestByBits(
  connection: IndexConnection,
  model: VectorModel,
  query: Float32Array,
  filter: DocumentFilter,
  limit: number,
) {
  const { sql, params } = allowedVectors(model, filter);
  const vector = bytesOf(query);
  return connection
    .all(
      `SELECT rowid AS id, vec_distance_cosine(embedding, ?) AS distance FROM ${vectorTable(model.id)}
       WHERE bits MATCH vec_quantize_binary(?) AND k = ?${sql}`,
      vector,
      vector,
      Math.min(limit * OVERSAMPLING, MOST_CANDIDATES),
      ...params,
    )
    .map(({ id, distance }) => ({ id: Number(id), score: 1 - Number(distance) }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit);
}

function allowedVectors(
  model: VectorModel,
  filter: DocumentFilter,
): Pick<DocumentFilter, 'params'> & { sql: string } {
  if (filter.sql === null) return { sql: '', params: [] };
  return {
    sql: ` AND rowid IN (SELECT vector.id FROM document JOIN chunk ON chunk.document = document.id
      JOIN vector ON vector.model = ${model.id} AND vector.hash = chunk.hash WHERE ${filter.sql})`,
    params: filter.params,
  };
}

export const bytesOf = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
