import type { TextKind } from '../embedding/embedding-provider.ts';
import { createEntryReader, type EntryReader } from '../index/entry-reader.ts';
import { bm25Of } from './feedback.ts';
import type { IndexConnection } from '../index/index-connection.ts';
import { storedHeadings } from '../index/index-rows.ts';
import { searchKeywords } from './keyword-search.ts';
import { parseQuery } from './query-parse.ts';
import { planQuery, type QueryPlan } from './query-plan.ts';
import { type EncoderTrust, searchVectors, type VectorModel } from './vector-search.ts';

/**
 * What an encoder is worth is not the same for every collection, and a weak one does harm. So the collection is asked:
 * a sentence is taken out of a chunk, and each way of searching has to find the rest of the chunk by it. How well
 * each does decides how much it counts; the rule is the same for all collections and all encoders.
 */

type Embed = (texts: readonly string[], kind: TextKind) => Promise<Float32Array[]>;

interface Trial {
  chunk: number;
  sentence: string;
  rest: string;
  embedded: string;
}

const TRIALS = 80;
const LEAST_TRIALS = 8;
const DEPTH = 100;
const LEAST_TERMS = 4;
/** Even the best encoder does not make exact words worthless. */
const MOST_WEIGHT = 0.75;

const everything = { sql: null, params: [], possible: true };

/** Null where the collection is too small to tell. */
export async function learnTrust(
  connection: IndexConnection,
  model: VectorModel,
  embed: Embed,
): Promise<EncoderTrust | null> {
  const trials = chooseTrials(connection);
  if (trials.length < LEAST_TRIALS) return null;
  const queries = await embed([...trials.map(({ sentence }) => sentence), ...NOISE], 'query');
  const rests = await embed(
    trials.map(({ embedded }) => embedded),
    'document',
  );
  const similarities = trials.map((_, at) => cosine(queries[at], rests[at]));
  const entries = createEntryReader(connection);
  const words = mean(trials.map((trial) => 1 / keywordRank(connection, entries, trial)));
  const meaning = mean(
    trials.map(({ chunk }, at) => {
      const query = queries[at];
      const own = similarities[at] ?? 0;
      if (!query) return 0;
      const better = searchVectors(connection, model, query, everything, DEPTH).filter(
        (candidate) => candidate.chunk !== chunk && candidate.score > own,
      ).length;
      return better >= DEPTH - 1 ? 0 : 1 / (better + 1);
    }),
  );
  return {
    weight: trustWeight(words, surely(meaning, trials.length)),
    ...calibrate(connection, model, similarities, queries.slice(trials.length)),
    vectors: model.vectors,
  };
}

/** By the fourth powers of how often each is right: one that is half as good is hardly heard, an equal one equally. */
export function trustWeight(words: number, meaning: number): number {
  const sum = words ** 4 + meaning ** 4;
  return sum === 0 ? 0 : Math.min(MOST_WEIGHT, meaning ** 4 / sum);
}

/** What so few trials leave no doubt about: one standard error less than what they show. */
export const surely = (share: number, trials: number): number =>
  Math.max(0, share - Math.sqrt((share * (1 - share)) / trials));

/**
 * Where similarities begin to say something, and where they say that two texts belong together. What nobody has
 * written about is never nearer to a text than by accident, and some accident happens in every collection.
 */
function calibrate(
  connection: IndexConnection,
  model: VectorModel,
  own: readonly number[],
  noise: readonly Float32Array[],
): Pick<EncoderTrust, 'unrelated' | 'related'> {
  const accidents = noise.map(
    (query) => searchVectors(connection, model, query, everything, 1)[0]?.score ?? 0,
  );
  const unrelated = quantile(accidents, 0.9);
  return { unrelated, related: Math.max(unrelated + 0.1, quantile(own, 0.5)) };
}

/** Spread over the collection, and the same each time. */
function chooseTrials(connection: IndexConnection): Trial[] {
  const { least, most } = connection.one('SELECT min(id) AS least, max(id) AS most FROM chunk') ?? {};
  const [first, last] = [Number(least ?? 0), Number(most ?? 0)];
  const step = Math.max(1, (last - first + 1) / (TRIALS * 2));
  const trials = new Map<number, Trial>();
  for (let at = first; at <= last && trials.size < TRIALS; at += step) {
    const row = connection.one('SELECT id, headings, body FROM chunk WHERE id >= ? LIMIT 1', Math.floor(at));
    if (!row || trials.has(Number(row.id))) continue;
    const held = holdOut(String(row.body));
    if (!held) continue;
    const headings = storedHeadings(row.headings);
    const embedded = headings.length === 0 ? held.rest : `${headings.join(' › ')}\n\n${held.rest}`;
    trials.set(Number(row.id), { chunk: Number(row.id), ...held, embedded });
  }
  return [...trials.values()];
}

/** The middle sentence that says something, and what is left without it. */
export function holdOut(body: string): { sentence: string; rest: string } | null {
  const sentences = body.split(/(?<=[.!?])\s+|(?<=[。！？])|\n{2,}/u).filter((part) => part.trim() !== '');
  const telling = sentences.filter(
    (sentence) => parseQuery(sentence).words.length >= LEAST_TERMS && sentence.length < 400,
  );
  if (sentences.length < 3 || telling.length === 0) return null;
  const sentence = telling[Math.floor(telling.length / 2)] ?? '';
  return { sentence: sentence.trim(), rest: body.replace(sentence, ' ') };
}

function keywordRank(connection: IndexConnection, entries: EntryReader, { chunk, sentence }: Trial): number {
  const parsed = parseQuery(sentence);
  const plan = planQuery(connection, { ...parsed, required: [], excluded: [] }, () => false);
  const { candidates } = searchKeywords(connection, plan, everything, entries, {
    results: DEPTH,
    limit: DEPTH,
    feedback: false,
  });
  const own = scoreWithout(
    plan,
    entries.read(chunk),
    parsed.words.flatMap(({ terms }) => terms),
  );
  const better = candidates.filter((candidate) => candidate.chunk !== chunk && candidate.score > own).length;
  return better >= DEPTH - 1 ? Number.POSITIVE_INFINITY : better + 1;
}

/** What the chunk would score without the sentence that was taken out of it. */
function scoreWithout(
  plan: QueryPlan,
  entry: { length: number; terms: Uint32Array } | undefined,
  removed: readonly string[],
): number {
  if (!entry) return 0;
  const times = new Map<string, number>();
  for (const term of removed) times.set(term, (times.get(term) ?? 0) + 1);
  const counts = new Map<number, number>();
  for (let at = 0; at + 1 < entry.terms.length; at += 2)
    counts.set(entry.terms[at] ?? 0, entry.terms[at + 1] ?? 0);
  return plan.terms.reduce((sum, { term, id, chunks }) => {
    const count = id === null ? 0 : Math.max(0, (counts.get(id) ?? 0) - (times.get(term) ?? 0));
    return sum + bm25Of(count, entry.length - removed.length, chunks, plan.totals);
  }, 0);
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (!a || !b) return 0;
  let [dot, lengthA, lengthB] = [0, 0, 0];
  for (let at = 0; at < a.length; at++) {
    const [x = 0, y = 0] = [a[at], b[at]];
    dot += x * y;
    lengthA += x * x;
    lengthB += y * y;
  }
  return dot / Math.max(1e-12, Math.sqrt(lengthA * lengthB));
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Nothing is about these. */
const NOISE: readonly string[] = [
  'qwzx plorf vint',
  'blorptang fizzenwick droo',
  'asdf jkl qwer',
  'zzyzx wubba frobnitz quux',
  'mnbv lkjh poiu trew',
  'snarfle grombus plenk tivvy',
  'xkcdq vrrm hjklo',
  'ghoti fneep blargh wazzle',
];
