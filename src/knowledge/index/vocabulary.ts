import type { IndexConnection } from './index-connection.ts';
import { isStopTerm } from '../search/stop-words.ts';
import { analyseWord, writtenForm } from '../search/text-terms.ts';

export interface VocabularyTerm {
  readonly id: number;
  /** Scratch space for counting: the text that `count` belongs to, and the count. */
  seenIn: number;
  count: number;
  /** Chunks added since the last flush. */
  added: number;
}

/** One term of a word; stop words have no entry in the vocabulary. */
export interface WordPart {
  readonly text: string;
  readonly term: VocabularyTerm | null;
}

/** The writer's cache of terms, by word; terms and counts are written once per transaction. */
export interface Vocabulary {
  /** The terms of a word; new ones are created. */
  partsOf(word: string): readonly WordPart[];
  /** Counts one more chunk with the term. */
  add(term: VocabularyTerm): void;
  /** Counts one chunk fewer with the term. */
  drop(id: number): void;
  flush(): void;
  /** Limits memory. Only call it between two chunks: it may replace term objects. */
  trim(): void;
  /** Clears the cache, after a rollback or when another process has written. */
  forget(): void;
}

/** The size of one of two cache generations: frequently used words survive. */
const KEPT_WORDS = 60_000;

export function createVocabulary(connection: IndexConnection): Vocabulary {
  // Every word of every text is looked up here, so a single lookup must return everything.
  let words = new Map<string, readonly WordPart[]>();
  // The terms of a word are in its own cache generation or a newer one, so no term exists twice.
  let terms = new Map<string, VocabularyTerm>();
  let olderWords = new Map<string, readonly WordPart[]>();
  let olderTerms = new Map<string, VocabularyTerm>();
  const dropped = new Map<number, number>();
  let changed: VocabularyTerm[] = [];
  let fresh: { id: number; text: string; word: string }[] = [];
  /** The number of the last term; null if unknown. */
  let last: number | null = null;
  /** Whether the table has terms that are not cached. */
  let hasOthers = true;

  function termOf(text: string, word: string, alone: boolean): VocabularyTerm {
    const known = terms.get(text) ?? olderTerms.get(text);
    if (known) {
      terms.set(text, known);
      return known;
    }
    if (last === null) {
      last = Number(connection.one('SELECT max(id) AS last FROM term')?.last ?? 0);
      hasOthers = last > 0;
    }
    const row = hasOthers ? connection.one('SELECT id FROM term WHERE term = ?', text) : undefined;
    const id = row ? Number(row.id) : ++last;
    if (!row) fresh.push({ id, text, word: writtenForm(word, text, alone) });
    const term = { id, seenIn: 0, count: 0, added: 0 };
    terms.set(text, term);
    return term;
  }

  function analyse(word: string): WordPart[] {
    const found = analyseWord(word);
    return found.map((text) => ({
      text,
      term: isStopTerm(text) ? null : termOf(text, word, found.length === 1),
    }));
  }

  function flush(): void {
    const changes = new Map(dropped);
    for (const term of changed) {
      changes.set(term.id, (changes.get(term.id) ?? 0) + term.added);
      term.added = 0;
    }
    const rows = fresh.map(({ id, text, word }) => [id, text, word, changes.get(id) ?? 0]);
    for (const { id } of fresh) changes.delete(id);
    insertTerms(connection, rows);
    updateCounts(connection, changes);
    fresh = [];
    changed = [];
    dropped.clear();
  }

  return {
    partsOf(word) {
      const known = words.get(word);
      if (known) return known;
      const older = olderWords.get(word);
      const parts = older ?? analyse(word);
      if (older) for (const { text, term } of older) if (term !== null) terms.set(text, term);
      // Copied, since a slice would keep the whole text in memory.
      words.set(word.length < 13 ? word : Buffer.from(word).toString(), parts);
      return parts;
    },
    add(term) {
      if (term.added === 0) changed.push(term);
      term.added++;
    },
    drop(id) {
      dropped.set(id, (dropped.get(id) ?? 0) - 1);
    },
    flush,
    trim() {
      if (words.size < KEPT_WORDS) return;
      flush();
      olderWords = words;
      olderTerms = terms;
      words = new Map();
      terms = new Map();
      hasOthers = true;
    },
    forget() {
      words.clear();
      terms.clear();
      olderWords.clear();
      olderTerms.clear();
      dropped.clear();
      changed = [];
      fresh = [];
      last = null;
    },
  };
}

function insertTerms(connection: IndexConnection, rows: readonly unknown[]): void {
  if (rows.length === 0) return;
  connection.run(
    'INSERT INTO term (id, term, word, chunks) SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)',
    JSON.stringify(rows),
  );
}

function updateCounts(connection: IndexConnection, changes: ReadonlyMap<number, number>): void {
  const rows = [...changes].filter(([, change]) => change !== 0).toSorted(([a], [b]) => a - b);
  if (rows.length === 0) return;
  connection.run(
    'UPDATE term SET chunks = chunks + (change.value ->> 1) FROM json_each(?) AS change WHERE term.id = change.value ->> 0',
    JSON.stringify(rows),
  );
}
