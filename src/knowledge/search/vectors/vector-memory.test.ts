import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../../test/temp-folder.ts';
import { createIndexWriter } from '../../index/create-index-writer.ts';
import type { IndexConnection } from '../../index/index-connection.ts';
import { openIndexForReading, openIndexForWriting } from '../../index/index-file.ts';
import { searchIndex } from '../search-index.ts';
import { nearestOf, recallVectors, type VectorMemory } from './vector-memory.ts';
import { bytesOf, findModel, searchVectors } from './vector-search.ts';
import { createVectorTable, loadVectorTables, vectorTable } from '../../index/vector-tables.ts';

const DIMS = 24;
const source = { owner: null, type: 'filesystem', name: 'notes' } as const;
const everything = { sql: null, params: [], possible: true };

const vectorOf = (seed: number): Float32Array =>
  Float32Array.from({ length: DIMS }, (_, at) => Math.sin(seed * 12.9898 + at * 78.233));

function write(writer: ReturnType<typeof createIndexWriter>, path: string, body: string): void {
  writer.put(
    writer.openSource(source, '/somewhere'),
    { path, fingerprint: null, contentHash: null, settingsHash: null, bytes: 9, problem: null },
    { title: path, text: body, mimeType: 'text/plain', metadata: {}, url: null, updatedAt: null },
    [{ headings: [], body, tokens: 5, lineStart: 1, lineEnd: 1 }],
  );
}

/** Gives every text a vector; equal texts get equal vectors. */
function embedAll(file: string): void {
  const connection = openIndexForWriting(file);
  const { id } = connection.run(
    "INSERT INTO model (fingerprint, provider, model, dims) VALUES ('test', 'test', 'test', ?)",
    DIMS,
  );
  createVectorTable(connection, id, DIMS);
  const hashes = connection.all('SELECT DISTINCT hash FROM chunk').map(({ hash }) => hash);
  for (const [at, hash] of hashes.entries()) {
    if (!(hash instanceof Uint8Array)) continue;
    const row = connection.run('INSERT INTO vector (model, hash) VALUES (?, ?)', id, hash);
    const bytes = bytesOf(vectorOf(at));
    connection.run(
      `INSERT INTO ${vectorTable(id)} (rowid, embedding, bits) VALUES (?, ?, vec_quantize_binary(?))`,
      BigInt(row.id),
      bytes,
      bytes,
    );
  }
  connection.run('UPDATE model SET vectors = ? WHERE id = ?', hashes.length, id);
  connection.close();
}

function openWithModel(file: string) {
  const connection = openIndexForReading(file);
  const model = connection && findModel(connection, 'test');
  if (!model) throw new Error('there are no vectors');
  return { connection, model };
}

function recalled(connection: IndexConnection, model: { id: number; dims: number; vectors: number }) {
  const memory = new Map<number, VectorMemory>();
  for (let time = 0; time < 50; time++) {
    const known = recallVectors(connection, memory, model);
    if (known) return known;
  }
  return null;
}

it('finds the same results in memory as in the table', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'knowledge.db');
  const writer = createIndexWriter({ file });
  for (let at = 0; at < 43; at++) write(writer, `${at}.txt`, `text ${at % 38}`);
  embedAll(file);
  const { connection, model } = openWithModel(file);
  expect(model.vectors).toBe(38);
  // The first search uses the table, which also loads its extension.
  const compared = [1, 3, 17, 100].flatMap((limit) =>
    [100, 101, 102, 5].map((seed) => ({
      limit,
      seed,
      expected: searchVectors(connection, model, vectorOf(seed), everything, limit),
    })),
  );
  const known = recalled(connection, model);
  if (!known) throw new Error('they are not kept');
  for (const { limit, seed, expected } of compared) {
    expect(nearestOf(known, vectorOf(seed), limit)).toEqual(
      expected.map((candidate) => ({ ...candidate, score: expect.closeTo(candidate.score, 6) })),
    );
  }
  expect(recalled(connection, { ...model, vectors: 10_000_000 })).toBeNull();
  connection.close();
  writer.close();
});

it('removes the vectors of deleted passages', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'knowledge.db');
  const writer = createIndexWriter({ file });
  for (let at = 0; at < 4; at++) write(writer, `${at}.txt`, `text ${at}`);
  embedAll(file);
  const { connection, model } = openWithModel(file);
  const retrieval = { min_relevance: 0 };
  const paths = async () => {
    const answer = await searchIndex(
      connection,
      { query: 'anything', mode: 'semantic' },
      { sources: [source], retrieval, embedding: {} },
      { embedQuery: () => Promise.resolve({ model, vector: vectorOf(2) }) },
    );
    return answer.results.map(({ path }) => path);
  };
  for (let time = 0; time < 20; time++) expect(await paths()).toHaveLength(4);
  const [nearest = ''] = await paths();
  writer.remove(writer.openSource(source, '/somewhere'), nearest);
  for (let time = 0; time < 20; time++) {
    const left = await paths();
    expect(left).toHaveLength(3);
    expect(left).not.toContain(nearest);
  }
  connection.close();
  writer.close();
});

it('falls back to keyword search if the vectors are dropped while the question is embedded', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'knowledge.db');
  const writer = createIndexWriter({ file });
  write(writer, 'a.txt', 'an amber heron');
  embedAll(file);
  const { connection, model } = openWithModel(file);
  const answer = await searchIndex(
    connection,
    { query: 'heron', mode: 'hybrid' },
    { sources: [source], retrieval: {}, embedding: {} },
    {
      async embedQuery() {
        const other = openIndexForWriting(file);
        loadVectorTables(other);
        other.exec(`DROP TABLE ${vectorTable(model.id)}; DELETE FROM vector; DELETE FROM model`);
        other.close();
        return { model, vector: vectorOf(2) };
      },
    },
  );
  expect(answer).toMatchObject({
    mode: 'keyword',
    results: [{ path: 'a.txt' }],
    notes: ['The embeddings are being rebuilt. Used keyword search.'],
  });
  connection.close();
  writer.close();
});
