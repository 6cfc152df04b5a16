import type { IndexConnection } from '../../index/index-connection.ts';
import { searchVectors, type VectorModel } from './vector-search.ts';

/**
 * Encoders differ in the similarity of unrelated texts, which is therefore measured with nonsense texts: some
 * passage of the collection is always nearest to them, by chance.
 */

/** Used until the collection has been measured. */
const USUAL_UNRELATED = 0.3;

/** Converts a similarity to a relevance: 0 for unrelated texts, 1 from halfway to equal ones. */
export function relevanceOf(similarity: number, { unrelated }: VectorModel): number {
  const floor = unrelated ?? USUAL_UNRELATED;
  return Math.min(1, Math.max(0, (similarity - floor) / Math.max(1e-6, (1 - floor) / 2)));
}

/** The highest similarity of any passage to a nonsense text. */
export async function measureUnrelated(
  connection: IndexConnection,
  model: VectorModel,
  embed: (texts: readonly string[]) => Promise<Float32Array[]>,
): Promise<number> {
  const everything = { sql: null, params: [], possible: true };
  const similarities = (await embed(NONSENSE)).map(
    (query) => searchVectors(connection, model, query, everything, 1)[0]?.score ?? 0,
  );
  return Math.max(...similarities);
}

const NONSENSE: readonly string[] = [
  'qwzx plorf vint',
  'blorptang fizzenwick droo',
  'asdf jkl qwer',
  'zzyzx wubba frobnitz quux',
  'mnbv lkjh poiu trew',
  'snarfle grombus plenk tivvy',
  'xkcdq vrrm hjklo',
  'ghoti fneep blargh wazzle',
];
