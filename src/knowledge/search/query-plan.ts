import type { IndexConnection } from '../index/index-connection.ts';
import { createIndexMemory, type IndexMemory, type Totals } from '../index/index-memory.ts';
import { idfOf, repetitionWeight } from './bm25.ts';
import type { JoinedWord, ParsedQuery, Phrases, QueryWord } from './query-parse.ts';
import { correctTerm, type KnownTerm, sameHashes, splitWord } from './spelling.ts';
import { isUnspacedText, writtenForm } from './text-terms.ts';

/** A term of a question, looked up in the collection. */
export interface PlannedTerm {
  term: string;
  /** Null for a term that no chunk has. */
  id: number | null;
  chunks: number;
  idf: number;
  /** Grows with its occurrences in the question; lower if it replaces a misspelt word. */
  weight: number;
  /** For two words of the question written as one: their terms. It counts as much as both together. */
  parts?: readonly string[];
}

export interface QueryPlan {
  terms: PlannedTerm[];
  required: readonly (readonly string[])[];
  excluded: readonly (readonly string[])[];
  phrases: Phrases;
  /** The number of words of the question. */
  length: number;
  corrected: Record<string, string>;
  totals: Totals;
}

const CORRECTED_WEIGHT = 0.8;
/** In a longer text, a word that no document has is a name rather than a typo. */
const MOST_CORRECTED_WORDS = 12;

/** `mayBeMeant` says whether a term may be suggested to the caller. */
export function planQuery(
  connection: IndexConnection,
  query: ParsedQuery,
  mayBeMeant: (term: string) => boolean,
  memory: IndexMemory = createIndexMemory(),
): QueryPlan {
  const totals = (memory.totals ??= readTotals(connection));
  recallTerms(connection, memory, query);
  const corrected: Record<string, string> = {};
  const terms = new Map<string, { known: KnownTerm | null; times: number; factor: number }>();
  const instead = new Map<string, string>();
  const add = (term: string, known: KnownTerm | null, times: number, factor = 1) => {
    const there = terms.get(term);
    if (there) there.times += times;
    else terms.set(term, { known, times, factor });
  };
  const correcting = query.words.length <= MOST_CORRECTED_WORDS;
  const joined = query.joined.filter(({ term }) => memory.terms.get(term) && !isAsked(query, term));
  const isJoined = (term: string) => joined.some(({ parts }) => parts.includes(term));
  for (const word of query.words) {
    const found = word.terms.map((term) => ({ term, known: memory.terms.get(term) ?? null }));
    const someKnown = found.some(({ known }) => known !== null);
    for (const { term, known } of found) {
      // If a word has known terms, its unknown whole or character pairs are not significant.
      if (!known && someKnown && (isUnspacedText(word.text) || term === word.terms.at(-1))) continue;
      const isRight = known !== null || word.quoted || isJoined(term);
      const meant = isRight || !correcting ? [] : meantBy(connection, word, term, mayBeMeant);
      if (meant.length === 0) add(term, known, word.times);
      else {
        corrected[word.compound ? term : word.text] = meant.map((one) => one.word).join(' ');
        if (meant[0] && meant.length === 1) instead.set(term, meant[0].term);
        for (const one of meant) {
          add(one.term, one, word.times, one.term.startsWith(term) ? 1 : CORRECTED_WEIGHT);
        }
      }
    }
  }
  const planned = Array.from(terms, ([term, { known, times, factor }]): PlannedTerm => ({
    term,
    id: known?.id ?? null,
    chunks: known?.chunks ?? 0,
    idf: idfOf(known?.chunks ?? 0, totals.chunks),
    weight: factor * repetitionWeight(times),
  }));
  return {
    terms: [...planned, ...planJoined(joined, planned, memory)],
    required: query.required.map((sequence) => sequence.map((term) => instead.get(term) ?? term)),
    excluded: query.excluded,
    phrases: query.phrases,
    length: query.length,
    corrected,
    totals,
  };
}

const isAsked = ({ words }: ParsedQuery, term: string): boolean =>
  words.some(({ terms }) => terms.includes(term));

function planJoined(
  joined: readonly JoinedWord[],
  planned: readonly PlannedTerm[],
  { terms }: IndexMemory,
): PlannedTerm[] {
  return joined.flatMap(({ term, parts }) => {
    const known = terms.get(term);
    if (!known) return [];
    const idf = planned
      .filter((each) => parts.includes(each.term))
      .reduce((sum, each) => sum + each.idf * each.weight, 0);
    return [{ term, id: known.id, chunks: known.chunks, idf, weight: 1, parts }];
  });
}

/** A passage that matches a long question as well as this many of its words is fully relevant. */
const ENOUGH_TERMS = 5;

/** The score of a fully relevant passage: of average length, with each of the most distinctive words once. */
export function fullScore({ terms }: QueryPlan): number {
  return terms
    .filter(({ parts }) => !parts)
    .map(({ idf, weight }) => idf * weight)
    .toSorted((a, b) => b - a)
    .slice(0, ENOUGH_TERMS)
    .reduce((sum, value) => sum + value, 0);
}

/** The likely meaning of a term that is in no chunk: a hash by its prefix, another word, or two words. */
function meantBy(
  connection: IndexConnection,
  { text }: QueryWord,
  term: string,
  mayBeMeant: (term: string) => boolean,
): KnownTerm[] {
  const hashes = sameHashes(connection, term, mayBeMeant);
  if (hashes.length > 0) return hashes;
  const word = writtenForm(text, term);
  const corrected = correctTerm(connection, { term, word }, mayBeMeant);
  return corrected ? [corrected] : splitWord(connection, word, mayBeMeant);
}

function readTotals(connection: IndexConnection): Totals {
  const row = connection.one('SELECT chunks, length FROM total');
  const chunks = Number(row?.chunks ?? 0);
  return { chunks, averageLength: chunks === 0 ? 1 : Math.max(1, Number(row?.length) / chunks) };
}

/** Reads all terms that are not cached with one statement. */
function recallTerms(
  connection: IndexConnection,
  { terms }: IndexMemory,
  { words, joined }: ParsedQuery,
): void {
  const missing: string[] = [];
  for (const word of words) for (const term of word.terms) if (!terms.has(term)) missing.push(term);
  for (const { term } of joined) if (!terms.has(term)) missing.push(term);
  if (missing.length === 0) return;
  for (const term of missing) terms.set(term, null);
  for (const { id, term, word, chunks } of connection.all(
    'SELECT id, term, word, chunks FROM term WHERE term IN (SELECT value FROM json_each(?)) AND chunks > 0',
    JSON.stringify(missing),
  )) {
    terms.set(String(term), {
      term: String(term),
      id: Number(id),
      word: String(word),
      chunks: Number(chunks),
    });
  }
}
