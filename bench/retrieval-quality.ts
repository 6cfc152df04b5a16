import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { SearchMode } from '../src/contract/knowledge.ts';
import { chunkDocument } from '../src/knowledge/chunking/chunk-document.ts';
import { createIndexReader } from '../src/knowledge/create-index-reader.ts';
import { createIndexWriter } from '../src/knowledge/create-index-writer.ts';
import { embedTexts, encoderOf } from '../src/knowledge/embed-texts.ts';
import type { IndexConnection } from '../src/knowledge/index-connection.ts';
import { openIndexForReading } from '../src/knowledge/index-file.ts';
import type { SearchScope } from '../src/knowledge/index-reader.ts';
import { searchIndex } from '../src/knowledge/search-index.ts';
import { findModel } from '../src/knowledge/vector-search.ts';
import { loadPassingTokenCounter } from '../src/platform/token-count.ts';
import { type Judged, loadCranfield } from './cranfield.ts';
import { mean, measureRanking, pairedBootstrap } from './ranking-measures.ts';
import { startSentenceEncoder } from './sentence-encoder.ts';

const source = { owner: null, type: 'filesystem', name: 'cranfield' } as const;

type Run = (query: string) => Promise<string[]>;

/** Every mode with its defaults, beside plain FTS5, on a collection with judgements. */
export async function measureQuality(data: string): Promise<void> {
  const collection = loadCranfield(data);
  const folder = await mkdtemp(join(tmpdir(), 'zoo-bench-'));
  const file = join(folder, 'knowledge.db');
  const encoder = await startSentenceEncoder();
  const embedding = {
    provider: 'openai',
    url: encoder.url,
    model: 'universal-sentence-encoder',
    timeout_secs: 600,
  } as const;
  const scope: SearchScope = { sources: [source], retrieval: {}, embedding };
  const reader = createIndexReader({ file });
  try {
    await buildIndex(file, collection);
    console.log(
      `\nEmbedding ${collection.documents.length} documents with a weak encoder; this takes minutes.`,
    );
    await reader.embed({ rebuild: false }, scope, new AbortController().signal, () => undefined);
    const connection = openIndexForReading(file);
    if (!connection) throw new Error('there is no index');
    const trust = findModel(connection, encoderOf(embedding)?.fingerprint ?? '')?.trust;
    console.log(`What the collection has learned about its encoder: ${JSON.stringify(trust)}`);
    const run = searchRun(connection, scope);
    const rankings = await rankAll(collection, {
      keyword: run('keyword'),
      'plain FTS5, words joined by OR': plainFts5(collection),
      'keyword without feedback': run('keyword', false),
      semantic: run('semantic'),
      hybrid: run('hybrid'),
    });
    report(
      'all listed pairs: every pair in the judgements is relevant, as their readme says; the goal of 0.56 is for this table',
      collection,
      rankings,
      'judged',
    );
    report(
      'codes 1–4 only: the one pair of each query with the code -1 counts as not relevant',
      collection,
      rankings,
      'relevant',
    );
    connection.close();
  } finally {
    await reader.close();
    encoder.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function buildIndex(file: string, { documents }: Judged): Promise<void> {
  const count = await loadPassingTokenCounter();
  const chunked = await Promise.all(
    documents.map(async ({ id, title, text }) => {
      const path = `${id}.txt`;
      const settings = { maxTokens: 700, overlapTokens: 0 };
      const chunks = await chunkDocument({ text, mimeType: 'text/plain' }, path, settings, count);
      return { path, title, text, chunks };
    }),
  );
  const writer = createIndexWriter({ file });
  writer.batch(() => {
    const id = writer.openSource(source, 'cranfield');
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

function searchRun(connection: IndexConnection, scope: SearchScope) {
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
      return results.map(({ path }) => path.replace(/\.txt$/, ''));
    };
}

function plainFts5({ documents }: Judged): Run {
  const database = new DatabaseSync(':memory:');
  database.exec("CREATE VIRTUAL TABLE plain USING fts5 (title, body, tokenize = 'porter unicode61')");
  const insert = database.prepare('INSERT INTO plain (rowid, title, body) VALUES (?, ?, ?)');
  for (const { id, title, text } of documents) insert.run(Number(id), title, text);
  const search = database.prepare('SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT 100');
  return async (query) => {
    const words = query.match(/[a-z0-9]+/gi) ?? [];
    return search
      .all(words.map((word) => `"${word}"`).join(' OR '))
      .map((row) => String((row as { rowid: number }).rowid));
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

/** The first run is what the others are compared with. */
function report(
  title: string,
  { queries }: Judged,
  rankings: Record<string, string[][]>,
  judged: 'relevant' | 'judged',
): void {
  const measured = Object.entries(rankings).map(([name, ranked]) => ({
    name,
    measures: queries.map((query, at) => measureRanking(ranked[at]!, query[judged])),
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
