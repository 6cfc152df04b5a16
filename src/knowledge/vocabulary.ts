import type { IndexConnection } from './index-connection.ts';
import { writtenForm } from './text-terms.ts';

export interface VocabularyTerm {
  readonly id: number;
  /** Scratch of whoever counts: which text the count belongs to, and the count. */
  seenIn: number;
  count: number;
}

/** The terms of the index as its writer needs them: numbers by text, and counts that are written once a transaction. */
export interface Vocabulary {
  /** The term, made if it is new. `word` is where it was found. */
  term(text: string, word: string): VocabularyTerm;
  /** How many more (or fewer) chunks have the term. */
  add(id: number, chunks: number): void;
  flush(): void;
  /** After a rollback, or when another process has written: what is remembered may not be there. */
  forget(): void;
}

const KEPT_TERMS = 400_000;

export function createVocabulary(connection: IndexConnection): Vocabulary {
  const terms = new Map<string, VocabularyTerm>();
  const changes = new Map<number, number>();
  return {
    term(text, word) {
      const known = terms.get(text);
      if (known) return known;
      if (terms.size >= KEPT_TERMS) terms.clear();
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
      terms.clear();
      changes.clear();
    },
  };
}
