import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { SearchMode } from '../src/contract/knowledge.ts';
import { chunkDocument } from '../src/knowledge/chunking/chunk-document.ts';
import { createIndexReader } from '../src/knowledge/index/create-index-reader.ts';
import { createIndexWriter } from '../src/knowledge/index/create-index-writer.ts';
import { embedTexts, encoderOf } from '../src/knowledge/embedding/embed-texts.ts';
import type { IndexConnection } from '../src/knowledge/index/index-connection.ts';
import { openIndexForReading } from '../src/knowledge/index/index-file.ts';
import type { SearchScope } from '../src/knowledge/index/index-reader.ts';
import { searchIndex } from '../src/knowledge/search/search-index.ts';
import { findModel } from '../src/knowledge/search/vectors/vector-search.ts';
import { loadPassingTokenCounter } from '../src/platform/text/token-count.ts';
import { type Judged, loadCollection, type Relevant } from './judged-collection.ts';
import { mean, measureRanking, pairedBootstrap } from './ranking-measures.ts';
import { startSentenceEncoder } from './sentence-encoder.ts';

const source = { owner: null, type: 'filesystem', name: 'collection' } as const;

type Run = (query: string) => Promise<string[]>;

export interface QualityOptions {
  /** Skips modes that need vectors: the bundled encoder takes minutes for a thousand documents. */
  wordsOnly: boolean;
  /** Another encoder, with an OpenAI-compatible API. */
  encoder?: { url: string; model: string; api_key?: string };
}

/** Measures every mode with its defaults beside plain FTS5, on a collection with judgements. */
export async function measureQuality(data: string, options: QualityOptions): Promise<void> {
  const collection = loadCollection(data);
  const { documents, queries, readings } = collection;
  const folder = await mkdtemp(join(tmpdir(), 'zoo-bench-'));
  const file = join(folder, 'knowledge.db');
  console.log(`\n${documents.length} documents, ${queries.length} queries with judgements`);
  try {
    await buildIndex(file, collection);
    const runs = options.wordsOnly
      ? wordRuns(file, collection)
      : await allRuns(file, collection, options.encoder);
    const rankings = await rankAll(collection, runs);
    for (const { title, relevant } of readings) reportByLength(title, collection, rankings, relevant);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function wordRuns(file: string, collection: Judged): Record<string, Run> {
  const run = searchRun(
    openForReading(file),
    { sources: [source], retrieval: {}, embedding: {} },
    collection,
  );
  return {
    keyword: run('keyword'),
    'plain FTS5, words joined by OR': plainFts5(collection),
    'keyword without feedback': run('keyword', false),
  };
}

async function allRuns(
  file: string,
  collection: Judged,
  given: QualityOptions['encoder'],
): Promise<Record<string, Run>> {
  const own = given ? null : await startSentenceEncoder();
  const place = given ?? { url: own?.url ?? '', model: 'universal-sentence-encoder' };
  const embedding = { provider: 'openai', ...place, timeout_secs: 600 } as const;
  const scope: SearchScope = { sources: [source], retrieval: {}, embedding };
  const reader = createIndexReader({ file });
  try {
    console.log(`Embedding with ${given?.model ?? 'a weak encoder'}; this takes minutes.`);
    await reader.embed({ rebuild: false }, scope, new AbortController().signal, () => undefined);
    const connection = openForReading(file);
    const run = searchRun(connection, scope, collection);
    // Embed each question once, before the encoder is closed.
    for (const { text } of collection.queries) await run('semantic')(text);
    return { ...wordRuns(file, collection), semantic: run('semantic'), hybrid: run('hybrid') };
  } finally {
    await reader.close();
    own?.close();
  }
}

function openForReading(file: string): IndexConnection {
  const connection = openIndexForReading(file);
  if (!connection) throw new Error('there is no index');
  return connection;
}

async function buildIndex(file: string, { documents }: Judged): Promise<void> {
  const count = await loadPassingTokenCounter();
  const chunked = await Promise.all(
    documents.map(async ({ title, text }, at) => {
      const path = pathOf(at);
      const settings = { maxTokens: 700, overlapTokens: 0 };
      const chunks = await chunkDocument({ text, mimeType: 'text/plain' }, path, settings, count);
      const headings = title === '' || beginsWith(text, title) ? [] : [title];
      return { path, title, text, chunks: chunks.map((chunk) => ({ ...chunk, headings })) };
    }),
  );
  const writer = createIndexWriter({ file });
  writer.batch(() => {
    const id = writer.openSource(source, 'collection');
    for (const { path, title, text, chunks } of chunked) {
      writer.put(
        id,
        { path, fingerprint: null, contentHash: null, settingsHash: null, bytes: text.length, problem: null },
        { title, text, mimeType: 'text/plain', metadata: {}, url: null, updatedAt: null },
        chunks,
      );
    }
  });
  writer.close();
}

const pathOf = (at: number) => `${at + 1}.txt`;
const placeOf = (path: string) => Number(path.replace(/\.txt$/, '')) - 1;

function beginsWith(text: string, title: string): boolean {
  const letters = (part: string) => part.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  return letters(text.slice(0, title.length * 2)).startsWith(letters(title));
}

function searchRun(connection: IndexConnection, scope: SearchScope, { documents }: Judged) {
  const encoder = encoderOf(scope.embedding);
  const signal = new AbortController().signal;
  const vectors = new Map<string, Promise<Float32Array[]>>();
  const embed = (text: string) => {
    const known = vectors.get(text);
    if (known) return known;
    const made = encoder ? embedTexts(encoder, [text], 'query', { signal }) : Promise.resolve([]);
    vectors.set(text, made);
    return made;
  };
  return (mode: SearchMode, feedback = true): Run =>
    async (query) => {
      const { results } = await searchIndex(connection, { query, mode, limit: 100 }, scope, {
        feedback,
        embedQuery: async (text) => {
          const model = encoder && findModel(connection, encoder.fingerprint);
          const [vector] = await embed(text);
          return model && vector ? { model, vector } : { problem: 'no vectors' };
        },
      });
      return results.map(({ path }) => documents[placeOf(path)]?.id ?? '');
    };
}

function plainFts5({ documents }: Judged): Run {
  const database = new DatabaseSync(':memory:');
  database.exec("CREATE VIRTUAL TABLE plain USING fts5 (title, body, tokenize = 'porter unicode61')");
  const insert = database.prepare('INSERT INTO plain (rowid, title, body) VALUES (?, ?, ?)');
  for (const [at, { title, text }] of documents.entries()) insert.run(at, title, text);
  return async (query) => {
    const words = query.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
    return words.length === 0
      ? []
      : database
          .prepare('SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT 100')
          .all(words.map((word) => `"${word}"`).join(' OR '))
          .map((row) => documents[(row as { rowid: number }).rowid]?.id ?? '');
  };
}

async function rankAll({ queries }: Judged, runs: Record<string, Run>): Promise<Record<string, string[][]>> {
  const rankings: Record<string, string[][]> = {};
  for (const [name, run] of Object.entries(runs)) {
    rankings[name] = [];
    for (const { text } of queries) rankings[name].push(await run(text));
  }
  return rankings;
}

/** From here on, a question is a pasted paragraph. */
const LONG_WORDS = 40;

/** All questions, and short and long ones apart where there are both. */
function reportByLength(
  title: string,
  { queries }: Judged,
  rankings: Record<string, string[][]>,
  relevant: Relevant,
): void {
  report(title, queries, rankings, relevant);
  const isLong = queries.map(({ text }) => text.split(/\s+/).length >= LONG_WORDS);
  if (!isLong.includes(true) || !isLong.includes(false)) return;
  for (const [kind, wanted] of [
    [`questions under ${LONG_WORDS} words`, false],
    [`questions of ${LONG_WORDS} words and more`, true],
  ] as const) {
    const chosen = <T>(all: readonly T[]) => all.filter((_, at) => isLong[at] === wanted);
    const ranked = Object.fromEntries(Object.entries(rankings).map(([name, all]) => [name, chosen(all)]));
    report(`${title}; ${kind}`, chosen(queries), ranked, relevant);
  }
}

/** The other runs are compared with the first one. */
function report(
  title: string,
  queries: Judged['queries'],
  rankings: Record<string, string[][]>,
  relevant: Relevant,
): void {
  const measured = Object.entries(rankings).map(([name, ranked]) => ({
    name,
    measures: queries.map((query, at) => measureRanking(ranked[at]!, relevant.get(query.id) ?? new Set())),
  }));
  const base = measured[0]!.measures.map(({ ndcg10 }) => ndcg10);
  console.log(`\nQuality, ${queries.length} queries (${title})`);
  console.log(`  ${''.padEnd(34)} nDCG@10  recall@100     MRR   p against keyword`);
  for (const { name, measures } of measured) {
    const ndcg = measures.map(({ ndcg10 }) => ndcg10);
    const cells = [
      mean(ndcg).toFixed(4).padStart(8),
      mean(measures.map(({ recall100 }) => recall100))
        .toFixed(4)
        .padStart(10),
      mean(measures.map(({ mrr }) => mrr))
        .toFixed(4)
        .padStart(9),
      name === measured[0]!.name ? '' : pairedBootstrap(base, ndcg).toFixed(4).padStart(9),
    ];
    console.log(`  ${name.padEnd(34)} ${cells.join(' ')}`);
  }
}
