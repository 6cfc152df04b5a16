import type { Chunk } from '../document.ts';
import { chunkHash } from './document-name.ts';
import { decodeForward, encodeForward } from './forward-index.ts';
import type { IndexConnection } from './index-connection.ts';
import { FIELD_WEIGHTS } from './index-schema.ts';
import { wordsOf } from '../search/text-terms.ts';
import { createVocabulary, type Vocabulary, type VocabularyTerm } from './vocabulary.ts';

/** Additional text by which a chunk can be found. */
export interface ChunkContext {
  title: string;
  path: string;
}

/** Writes chunks with their derived rows; `flush` writes the counts of the collection. */
export interface ChunkWriter {
  insert(document: number, context: ChunkContext, chunks: readonly Chunk[]): void;
  /** Removes the document's chunks from the index. */
  remove(document: number): void;
  flush(): void;
  forget(): void;
}

export function createChunkWriter(connection: IndexConnection): ChunkWriter {
  const vocabulary = createVocabulary(connection);
  let chunksAdded = 0;
  let lengthAdded = 0;
  let sequence = 0;

  function insertOne(document: number, ordinal: number, context: ChunkContext, chunk: Chunk): void {
    vocabulary.trim();
    const counted = createTermCounter(vocabulary, ++sequence);
    const title = counted.add(context.title, FIELD_WEIGHTS.title);
    // The title usually repeats the first heading; it is counted only once.
    const others = chunk.headings.filter((heading) => heading !== context.title);
    const headings = counted.add(others.join('\n'), FIELD_WEIGHTS.headings);
    const path = counted.add(context.path, FIELD_WEIGHTS.path);
    const body = counted.add(chunk.body, FIELD_WEIGHTS.body);
    const { id } = connection.run(
      'INSERT INTO chunk (document, ordinal, hash, line_start, line_end, tokens, headings, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      document,
      ordinal,
      chunkHash(chunk.headings, chunk.body),
      chunk.lineStart,
      chunk.lineEnd,
      chunk.tokens,
      JSON.stringify(chunk.headings),
      chunk.body,
    );
    connection.run(
      'INSERT INTO passage (rowid, title, headings, path, body) VALUES (?, ?, ?, ?, ?)',
      id,
      title,
      headings,
      path,
      body,
    );
    connection.run(
      'INSERT INTO forward (chunk, document, terms) VALUES (?, ?, ?)',
      id,
      document,
      encodeForward(counted.length(), counted.terms()),
    );
    chunksAdded++;
    lengthAdded += counted.length();
  }

  return {
    insert(document, context, chunks) {
      for (const [ordinal, chunk] of chunks.entries()) insertOne(document, ordinal, context, chunk);
    },
    remove(document) {
      const rows = connection.all(
        'SELECT chunk.id, chunk.hash, forward.terms FROM chunk JOIN forward ON forward.chunk = chunk.id WHERE chunk.document = ?',
        document,
      );
      for (const { id, hash, terms } of rows) {
        if (!(terms instanceof Uint8Array) || id === undefined || hash === undefined) continue;
        const entry = decodeForward(terms);
        for (let at = 0; at < entry.terms.length; at += 2) vocabulary.drop(entry.terms[at] ?? 0);
        connection.run('DELETE FROM passage WHERE rowid = ?', id);
        connection.run('DELETE FROM forward WHERE chunk = ?', id);
        connection.run('INSERT OR IGNORE INTO dropped (hash) VALUES (?)', hash);
        chunksAdded--;
        lengthAdded -= entry.length;
      }
      connection.run('DELETE FROM chunk WHERE document = ?', document);
    },
    flush() {
      vocabulary.flush();
      if (chunksAdded === 0 && lengthAdded === 0) return;
      connection.run('UPDATE total SET chunks = chunks + ?, length = length + ?', chunksAdded, lengthAdded);
      chunksAdded = 0;
      lengthAdded = 0;
    },
    forget() {
      vocabulary.forget();
      chunksAdded = 0;
      lengthAdded = 0;
    },
  };
}

/** Counts the terms of one chunk, each field by its weight. `text` must be a unique number. */
function createTermCounter(vocabulary: Vocabulary, text: number) {
  const found: VocabularyTerm[] = [];
  let length = 0;
  return {
    add(field: string, weight: number): string {
      const terms: string[] = [];
      for (const word of wordsOf(field)) {
        for (const { text: part, term } of vocabulary.partsOf(word)) {
          terms.push(part);
          if (term === null) continue;
          length += weight;
          if (term.seenIn !== text) {
            term.seenIn = text;
            term.count = 0;
            found.push(term);
            vocabulary.add(term);
          }
          term.count += weight;
        }
      }
      return terms.join(' ');
    },
    length: () => length,
    terms: () => found.toSorted((a, b) => a.id - b.id),
  };
}
