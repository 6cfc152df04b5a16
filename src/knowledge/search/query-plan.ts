import type { IndexConnection } from '../index/index-connection.ts';
import { createIndexMemory, type IndexMemory } from '../index/index-memory.ts';
import type { ParsedQuery, Phrases } from './query-parse.ts';
import { correctTerm, type KnownTerm, sameHashes, splitWord } from './spelling.ts';
import { isUnspacedText, writtenForm } from './text-terms.ts';
import type { Totals } from '../index/totals.ts';

/** A term of a question as the collection has it. */
export interface PlannedTerm {
  term: string;
  /** Null for one that no chunk has. */
  id: number | null;
  chunks: number;
  /** How much it says: high for what few chunks have. */
  idf: number;
  /** 1, or less for one that was not written like this. */
  certainty: number;
}

export interface QueryPlan {
  terms: PlannedTerm[];
  required: readonly (readonly string[])[];
  excluded: readonly (readonly string[])[];
  phrases: Phrases;
  /** Whether it is in plain words, several of them: then feedback may add to it. */
  isQuestion: boolean;
  corrected: Record<string, string>;
  totals: Totals;
}

const CORRECTED_CERTAINTY = 0.8;
/** Fewer name a thing, and what else is said about it only leads away. */
const QUESTION_WORDS = 5;

/** How much a term says that so many of all chunks have; never negative, also in a collection of two. */
export const informationOf = (chunks: number, all: number): number =>
  Math.log(1 + (all - Math.min(chunks, all) + 0.5) / (chunks + 0.5));

/** `mayBeMeant` says whether a term may be offered in place of one that no chunk has. */
export function planQuery(
  connection: IndexConnection,
  query: ParsedQuery,
  mayBeMeant: (term: string) => boolean,
  memory: IndexMemory = createIndexMemory(),
): QueryPlan {
  const totals = readTotals(connection, memory);
  recallTerms(connection, memory, query);
  const corrected: Record<string, string> = {};
  const terms = new Map<string, PlannedTerm>();
  const instead = new Map<string, string>();
  const add = (term: string, known: KnownTerm | null, certainty: number) => {
    if (terms.has(term)) return;
    const chunks = known?.chunks ?? 0;
    terms.set(term, {
      term,
      id: known?.id ?? null,
      chunks,
      idf: informationOf(chunks, totals.chunks),
      certainty,
    });
  };
  for (const word of query.words) {
    const found = word.terms.map((term) => ({ term, known: memory.terms.get(term) ?? null }));
    const someKnown = found.some(({ known }) => known !== null);
    for (const { term, known } of found) {
      if (known) {
        add(term, known, 1);
        continue;
      }
      // The whole of a compound and pairs of characters that go across words mean little when they are unknown.
      if (someKnown && (isUnspacedText(word.text) || term === word.terms.at(-1))) continue;
      const meant = word.quoted ? [] : meantBy(connection, word.text, term, mayBeMeant);
      if (meant.length > 0) {
        corrected[word.compound ? term : word.text] = meant.map((one) => one.word).join(' ');
        if (meant[0] && meant.length === 1) instead.set(term, meant[0].term);
        for (const one of meant) add(one.term, one, one.term.startsWith(term) ? 1 : CORRECTED_CERTAINTY);
      } else add(term, null, 1);
    }
  }
  const { excluded, phrases } = query;
  const required = query.required.map((sequence) => sequence.map((term) => instead.get(term) ?? term));
  return {
    terms: [...terms.values()],
    required,
    excluded,
    phrases,
    isQuestion:
      required.length === 0 &&
      excluded.length === 0 &&
      phrases.required.length === 0 &&
      phrases.excluded.length === 0 &&
      query.words.filter(({ compound }) => !compound).length >= QUESTION_WORDS,
    corrected,
    totals,
  };
}

/** What was most likely meant by a term that no chunk has: a hash by its beginning, another word, or two of them. */
function meantBy(
  connection: IndexConnection,
  text: string,
  term: string,
  mayBeMeant: (term: string) => boolean,
): KnownTerm[] {
  const hashes = sameHashes(connection, term, mayBeMeant);
  if (hashes.length > 0) return hashes;
  const word = writtenForm(text, term);
  const corrected = correctTerm(connection, { term, word }, mayBeMeant);
  return corrected ? [corrected] : splitWord(connection, word, mayBeMeant);
}

function readTotals(connection: IndexConnection, memory: IndexMemory): Totals {
  const row = (memory.total ??= connection.one('SELECT chunks, length FROM total'));
  const chunks = Number(row?.chunks ?? 0);
  return { chunks, averageLength: chunks === 0 ? 1 : Number(row?.length) / chunks };
}

/** All that are not remembered by one statement. */
function recallTerms(connection: IndexConnection, { terms }: IndexMemory, { words }: ParsedQuery): void {
  const missing: string[] = [];
  for (const word of words) for (const term of word.terms) if (!terms.has(term)) missing.push(term);
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
