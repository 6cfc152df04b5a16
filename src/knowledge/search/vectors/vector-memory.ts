import type { Candidate } from '../group-candidates.ts';
import { leastOfBest } from '../least-of-best.ts';
import type { IndexConnection } from '../../index/index-connection.ts';
import { storedNumbers } from '../../index/index-rows.ts';
import { vectorTable } from '../../index/vector-tables.ts';

/** All vectors of one model, each with its chunks. */
export interface KnownVectors {
  dims: number;
  /** Interleaved in groups of four, which is the order of access. */
  values: Float32Array;
  lengths: Float64Array;
  chunks: readonly (readonly Omit<Candidate, 'score'>[])[];
}

export interface VectorMemory {
  asked: number;
  known?: KnownVectors;
}

const ABREAST = 4;
/** Sixteen megabytes. */
const MOST_VALUES = 4 * 1024 * 1024;
/** Loading all vectors takes as long as several searches, which is wasted if a sync soon changes the index. */
const WORTH_READING_AFTER = 10;

/** Null if there are too many vectors, or too few searches so far. */
export function recallVectors(
  connection: IndexConnection,
  memory: Map<number, VectorMemory>,
  model: { id: number; dims: number; vectors: number },
): KnownVectors | null {
  if (model.vectors * model.dims > MOST_VALUES) return null;
  const found = memory.get(model.id) ?? { asked: 0 };
  memory.set(model.id, found);
  found.asked += 1;
  if (found.asked <= WORTH_READING_AFTER) return null;
  return (found.known ??= readVectors(connection, model));
}

function readVectors(
  connection: IndexConnection,
  { id: model, dims }: { id: number; dims: number },
): KnownVectors {
  const places = new Map<number, number>();
  const rows = connection.all(`SELECT rowid AS id, embedding FROM ${vectorTable(model)} ORDER BY rowid`);
  const values = new Float32Array(Math.ceil(rows.length / ABREAST) * ABREAST * dims);
  const lengths = new Float64Array(rows.length);
  for (const [at, { id, embedding }] of rows.entries()) {
    places.set(Number(id), at);
    if (!(embedding instanceof Uint8Array)) continue;
    // Copied, since a Float32Array has to be aligned to four bytes.
    const vector = new Float32Array(embedding.slice().buffer);
    lengths[at] = lengthOf(vector);
    const start = Math.floor(at / ABREAST) * ABREAST * dims + (at % ABREAST);
    for (let next = 0; next < dims; next++) values[start + next * ABREAST] = vector[next] ?? 0;
  }
  const row = connection.one(
    `SELECT json_group_array(vector.id) AS ids, json_group_array(chunk.id) AS chunks,
       json_group_array(forward.document) AS documents
     FROM vector CROSS JOIN chunk ON chunk.hash = vector.hash CROSS JOIN forward ON forward.chunk = chunk.id
     WHERE vector.model = ?`,
    model,
  );
  const [numbers, documents] = [storedNumbers(row?.chunks), storedNumbers(row?.documents)];
  const chunks = rows.map((): Omit<Candidate, 'score'>[] => []);
  for (const [at, id] of storedNumbers(row?.ids).entries()) {
    const place = places.get(id);
    if (place !== undefined) chunks[place]?.push({ chunk: numbers[at] ?? 0, document: documents[at] ?? 0 });
  }
  return { dims, values, lengths, chunks };
}

function lengthOf(vector: Float32Array): number {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return Math.sqrt(sum);
}

/** The chunks nearest to the vector, nearest first. Scores equal those of the table up to rounding. */
export function nearestOf(known: KnownVectors, query: Float32Array, limit: number): Candidate[] {
  const scores = cosines(known, query);
  const least = leastOfBest(scores, limit);
  const near: { place: number; score: number }[] = [];
  // entries() would allocate a pair for each.
  for (let place = 0; place < scores.length; place++) {
    const score = scores[place] ?? 0;
    if (score >= least) near.push({ place, score });
  }
  const nearest: Candidate[] = [];
  for (const { place, score } of near.toSorted((a, b) => b.score - a.score).slice(0, limit)) {
    for (const { chunk, document } of known.chunks[place] ?? []) nearest.push({ chunk, document, score });
  }
  return nearest;
}

/** Four sums at a time, for instruction-level parallelism. */
function cosines({ dims, values, lengths }: KnownVectors, query: Float32Array): Float64Array {
  const length = lengthOf(query);
  const scores = new Float64Array(lengths.length);
  const wanted = new Float64Array(query);
  let place = 0;
  for (let at = 0; at < scores.length; at += ABREAST) {
    let [one, two, three, four] = [0, 0, 0, 0];
    for (let next = 0; next < dims; next++) {
      const value = wanted[next] ?? 0;
      one += (values[place] ?? 0) * value;
      two += (values[place + 1] ?? 0) * value;
      three += (values[place + 2] ?? 0) * value;
      four += (values[place + 3] ?? 0) * value;
      place += ABREAST;
    }
    // Writes beyond the end are ignored.
    scores[at] = one;
    scores[at + 1] = two;
    scores[at + 2] = three;
    scores[at + 3] = four;
  }
  for (let at = 0; at < scores.length; at++) scores[at] = (scores[at] ?? 0) / ((lengths[at] ?? 0) * length);
  return scores;
}
