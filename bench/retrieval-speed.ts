import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { getLoadablePath } from 'sqlite-vec';
import type { SearchMode } from '../src/contract/knowledge.ts';
import { createIndexReader } from '../src/knowledge/index/create-index-reader.ts';
import { openIndexForReading } from '../src/knowledge/index/index-file.ts';
import type { SearchScope } from '../src/knowledge/index/index-reader.ts';
import { searchIndex } from '../src/knowledge/search/search-index.ts';
import { findModel } from '../src/knowledge/search/vectors/vector-search.ts';
import { measureBuild } from './build-speed.ts';
import { createRandom, generateQuery } from './generated-text.ts';
import { compare, report } from './measure.ts';
import { fillVectors } from './random-vectors.ts';

const DIMS = 384;
const QUERIES = 40;
const source = { owner: null, type: 'filesystem', name: 'generated' } as const;
const scope: SearchScope = { sources: [source], retrieval: {}, embedding: {} };

/** Measures search and indexing at this many chunks against raw SQLite statements. */
export async function measureSpeed(chunks: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'zoo-bench-'));
  const file = join(folder, 'knowledge.db');
  console.log(`\n${chunks} chunks of generated text`);
  try {
    const raw = await measureBuild(source, chunks, file, join(folder, 'raw.db'));
    fillVectors(file, DIMS);
    await measureSearch(chunks, file, raw);
    raw.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureSearch(chunks: number, file: string, raw: DatabaseSyncInstance): Promise<void> {
  const connection = openIndexForReading(file);
  if (!connection) throw new Error('there is no index');
  const reader = createIndexReader({ file });
  const random = createRandom(7);
  const short = Array.from({ length: QUERIES }, () => generateQuery(random, 2));
  const five = Array.from({ length: QUERIES }, () => generateQuery(random, 5));
  const pasted = Array.from({ length: QUERIES }, () => generateQuery(random, 150));
  const vectors = Array.from({ length: QUERIES }, () =>
    Float32Array.from({ length: DIMS }, () => random() - 0.5),
  );
  const model = findModel(connection, 'random');
  if (!model) throw new Error('there are no vectors');
  const plain = raw.prepare('SELECT rowid, rank FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT 12');
  const bare = (words: string[]) => plain.all(words.map((word) => `"${word}"`).join(' OR '));
  raw.enableLoadExtension(true);
  raw.loadExtension(getLoadablePath());
  raw.prepare('ATTACH DATABASE ? AS ours').run(file);
  const scan = raw.prepare(
    `SELECT rowid, distance FROM ours.vectors_${model.id} WHERE embedding MATCH ? AND k = 12`,
  );
  const search = (words: string[], mode: SearchMode, at = 0) =>
    searchIndex(connection, { query: words.join(' '), mode }, scope, {
      embedQuery: async () => ({ model, vector: vectors[at]! }),
    });
  // Short work is only compiled after hundreds of rounds, as in a running hub.
  const rounds = chunks > 50_000 ? 60 : chunks > 5_000 ? 200 : 1_000;
  const turn = (queries: string[][], work: (words: string[], at: number) => unknown) => {
    let next = 0;
    return async () => {
      const at = next++ % QUERIES;
      await work(queries[at]!, at);
    };
  };
  const signal = new AbortController().signal;
  report(
    '  two words, p50',
    await compare(rounds, {
      'one raw FTS5 statement': turn(short, bare),
      'keyword search': turn(short, (words) => search(words, 'keyword')),
      'the same through its thread': turn(short, (words) =>
        reader.search({ query: words.join(' '), mode: 'keyword' }, scope, signal),
      ),
    }),
    'keyword at most 2×',
  );
  report(
    '  five words and a pasted paragraph, p50',
    await compare(rounds, {
      'keyword search, five words': turn(five, (words) => search(words, 'keyword')),
      'keyword search, 150 words': turn(pasted, (words) => search(words, 'keyword')),
      'one raw FTS5 statement, five words': turn(five, bare),
    }),
    '150 words at most 3×',
  );
  report(
    '  hybrid, p50',
    await compare(rounds, {
      'raw FTS5 and a raw vector scan': turn(five, (words, at) => {
        bare(words);
        scan.all(vectors[at]!);
      }),
      'hybrid search': turn(five, (words, at) => search(words, 'hybrid', at)),
    }),
    'at most 1.5×',
  );
  connection.close();
  await reader.close();
}
