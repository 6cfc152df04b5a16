import type { IndexConnection } from './index-connection.ts';
import { isStopTerm } from './stop-words.ts';
import { termsOfWord, writtenForm } from './text-terms.ts';

export interface VocabularyTerm {
  readonly id: number;
  /** Scratch of whoever counts: which text the count belongs to, and the count. */
  seenIn: number;
  count: number;
}

/** One term of a word; those that say nothing are in the text and not in the vocabulary. */
export interface WordPart {
  readonly text: string;
  readonly term: VocabularyTerm | null;
}

/** The terms of the index as its writer needs them: by word, and counts that are written once a transaction. */
export interface Vocabulary {
  /** What a word is indexed as; its terms are made if they are new. */
  partsOf(word: string): readonly WordPart[];
  /** How many more (or fewer) chunks have the term. */
  add(id: number, chunks: number): void;
  flush(): void;
  /** After a rollback, or when another process has written: what is remembered may not be there. */
  forget(): void;
}

const KEPT_WORDS = 300_000;

export function createVocabulary(connection: IndexConnection): Vocabulary {
  // Every word of every text is looked up, so this is one look for all that is known of it.
  const words = new Map<string, readonly WordPart[]>();
  const terms = new Map<string, VocabularyTerm>();
  const changes = new Map<number, number>();

  function termOf(text: string, word: string): VocabularyTerm {
    const known = terms.get(text);
    if (known) return known;
    const row = connection.one('SELECT id FROM term WHERE term = ?', text);
    const id = row
      ? Number(row.id)
      : connection.run(
          'INSERT INTO term (term, word, chunks) VALUES (?, ?, 0)',
          text,
          writtenForm(word, text),
        ).id;
    const term = { id, seenIn: 0, count: 0 };
    terms.set(text, term);
    return term;
  }

  function forgetWords(): void {
    words.clear();
    terms.clear();
  }

  return {
    partsOf(word) {
      const known = words.get(word);
      if (known) return known;
      if (words.size >= KEPT_WORDS) forgetWords();
      const parts = termsOfWord(word).map((text) => ({
        text,
        term: isStopTerm(text) ? null : termOf(text, word),
      }));
      words.set(word.length < 13 ? word : Buffer.from(word).toString(), parts);
      return parts;
    },
    add(id, chunks) {
      changes.set(id, (changes.get(id) ?? 0) + chunks);
    },
    flush() {
      for (const [id, change] of [...changes].toSorted(([a], [b]) => a - b)) {
        if (change !== 0) connection.run('UPDATE term SET chunks = chunks + ? WHERE id = ?', change, id);
      }
      changes.clear();
    },
    forget() {
      forgetWords();
      changes.clear();
    },
  };
}
