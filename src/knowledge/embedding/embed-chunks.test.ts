import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeVector, startFakeEmbeddings } from '../../../test/knowledge/fake-embeddings.ts';
import { tempFolder } from '../../../test/temp-folder.ts';
import { createIndexReader } from '../index/create-index-reader.ts';
import { createIndexWriter } from '../index/create-index-writer.ts';
import { encoderOf } from './embed-texts.ts';
import { openIndexForReading } from '../index/index-file.ts';
import type { SearchScope, SourceKey } from '../index/index-reader.ts';
import { findModel, searchVectors } from '../search/vectors/vector-search.ts';
import { loadVectorTables } from '../index/vector-tables.ts';

const docs: SourceKey = { owner: null, type: 'filesystem', name: 'docs' };
const other: SourceKey = { owner: null, type: 'filesystem', name: 'other' };
const never = new AbortController().signal;
const ignore = () => undefined;

async function startIndex(dims = 32) {
  const folder = await tempFolder();
  const server = await startFakeEmbeddings({ dims });
  const file = join(folder.path, 'knowledge.db');
  const reader = createIndexReader({ file });
  const writer = createIndexWriter({ file });
  const put = (source: SourceKey, path: string, bodies: string[]) =>
    writer.put(
      writer.openSource(source, '/x'),
      { path, fingerprint: '1', contentHash: 'c', settingsHash: 's', bytes: 1, problem: null },
      {
        title: path,
        text: bodies.join('\n'),
        mimeType: 'text/plain',
        metadata: {},
        url: null,
        updatedAt: null,
      },
      bodies.map((body, at) => ({ headings: ['Top'], body, tokens: 3, lineStart: at + 1, lineEnd: at + 1 })),
    );
  const scope = (rest: Partial<SearchScope> = {}): SearchScope => ({
    sources: [docs, other],
    retrieval: {},
    embedding: { provider: 'openai', url: `${server.url}/v1`, model: 'letters', max_retries: 0 },
    ...rest,
  });
  return {
    file,
    server,
    reader,
    writer,
    put,
    scope,
    source: (key: SourceKey) => writer.openSource(key, '/x'),
    finish: (key: SourceKey) =>
      writer.finish(writer.openSource(key, '/x'), {
        at: '2026-01-01',
        error: null,
        checkpoint: null,
        skipped: 0,
      }),
    embed: (rebuild = false, rest: Partial<SearchScope> = {}) =>
      reader.embed({ rebuild }, scope(rest), never, ignore),
    sent: () => server.calls.splice(0).flatMap(({ body }) => body.input),
    async [Symbol.asyncDispose]() {
      writer.close();
      await reader.close();
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe('vectors', () => {
  it('are computed for new chunks, and kept for unchanged ones', async () => {
    await using index = await startIndex();
    index.put(docs, 'a.md', ['cats purr', 'dogs bark', 'cows moo']);
    const progress: number[] = [];
    const { embedded } = await index.reader.embed({ rebuild: false }, index.scope(), never, (at) =>
      progress.push(at.embedded),
    );
    expect(embedded).toBe(3);
    expect(progress).toEqual([0, 3]);
    expect(index.sent()).toEqual(['Top\n\ncats purr', 'Top\n\ndogs bark', 'Top\n\ncows moo']);
    expect(await index.reader.embedStatus(index.scope())).toMatchObject({
      provider: 'openai',
      model: 'letters',
      dims: 32,
      chunks: 3,
      embedded: 3,
      pending: 0,
      stale: 0,
      last_error: null,
    });

    index.put(docs, 'a.md', ['cats purr', 'dogs howl', 'cows moo']);
    index.writer.move(
      index.source(docs),
      'a.md',
      { path: 'b.md', fingerprint: '1', contentHash: 'c', settingsHash: 's', bytes: 1, problem: null },
      { title: 'b', url: null, updatedAt: null },
    );
    index.put(other, 'copy.md', ['cows moo']);
    index.finish(docs);
    expect(await index.embed()).toEqual({ embedded: 1 });
    expect(index.sent()).toEqual(['Top\n\ndogs howl']);

    // No document contains "dogs bark" any more; two contain "cows moo".
    const connection = openIndexForReading(index.file)!;
    loadVectorTables(connection);
    expect(connection.one('SELECT count(*) AS n FROM vector')).toEqual({ n: 3 });
    expect(connection.one('SELECT count(*) AS n FROM vectors_1')).toEqual({ n: 3 });
    expect(connection.one('SELECT vectors AS n FROM model')).toEqual({ n: 3 });
    connection.close();
  });

  it('find the nearest chunks within the filters', async () => {
    await using index = await startIndex();
    index.put(
      docs,
      'a.md',
      Array.from({ length: 30 }, (_, n) => `cats purr softly number${n}`),
    );
    index.put(other, 'b.md', ['dogs bark']);
    await index.embed();
    const search = (query: string, source?: string) =>
      index.reader.search(
        { query, mode: 'semantic', ...(source !== undefined && { filters: { source } }) },
        index.scope({ retrieval: { min_relevance: 0, candidate_k_vector: 1 } }),
        never,
      );
    const { mode, results } = await search('dogs bark');
    expect(mode).toBe('semantic');
    expect(results[0]).toMatchObject({ path: 'b.md' });
    expect((await search('cats purr softly', 'other')).results.map(({ path }) => path)).toEqual(['b.md']);
  });

  it.each(['!!! ???', '""', '☃ --'])('match nothing for a query without words: %j', async (query) => {
    await using index = await startIndex();
    index.put(docs, 'a.md', ['cats purr', 'dogs bark!!! ???']);
    await index.embed();
    for (const mode of ['hybrid', 'semantic'] as const) {
      const { results } = await index.reader.search({ query, mode }, index.scope(), never);
      expect(results).toEqual([]);
    }
  });

  it('respect exclusions', async () => {
    await using index = await startIndex();
    index.put(docs, 'a.md', ['cats purr']);
    index.put(docs, 'b.md', ['cats purr and hiss']);
    await index.embed();
    const { results } = await index.reader.search(
      { query: 'cats purr -hiss', mode: 'semantic' },
      index.scope({ retrieval: { min_relevance: 0 } }),
      never,
    );
    expect(results.map(({ path }) => path)).toEqual(['a.md']);
  });

  it.each(['semantic', 'hybrid'] as const)(
    'apply phrases before the nearest are chosen: %s',
    async (mode) => {
      await using index = await startIndex();
      for (let n = 0; n < 20; n++) index.put(docs, `cats${n}.md`, [`cats purr softly number${n}`]);
      index.put(docs, 'one.md', ['a cat purrs and a dog barks at the moon']);
      index.put(docs, 'two.md', ['a cat purred, and then dogs bark at the moon']);
      await index.embed();
      const search = async (query: string) => {
        const { results } = await index.reader.search(
          { query, mode },
          index.scope({
            retrieval: { min_relevance: 0, candidate_k_vector: 1, candidate_k_keyword: 1, final_limit: 1 },
          }),
          never,
        );
        return results.map(({ path }) => path);
      };
      expect(await search('cats purr softly "dog barks"')).toEqual(['one.md']);
      expect(await search('cats purr softly +moon -"dog barks"')).toEqual(['two.md']);
      expect(await search('a dog barks at the moon -"dog barks" -number1')).not.toContain('one.md');
      expect(await search('cats purr softly "dogs purr"')).toHaveLength(1);
    },
  );

  it('that take long do not block other searches, even if the file is replaced meanwhile', async () => {
    await using index = await startIndex();
    index.put(docs, 'a.md', ['cats purr', 'dogs bark']);
    await index.embed();
    const release = index.server.hold();
    const slow = index.reader.search({ query: 'cats purr', mode: 'hybrid' }, index.scope(), never);
    await expect.poll(() => index.server.calls.length).toBe(2);
    const quick = await index.reader.search({ query: 'dogs bark', mode: 'keyword' }, index.scope(), never);
    expect(quick.results.map(({ path }) => path)).toEqual(['a.md']);
    await rename(index.file, `${index.file}.aside`);
    const { notes } = await index.reader.search({ query: 'dogs' }, index.scope(), never);
    expect(notes).toEqual(['Nothing has been synced yet: run `zoo sync`.']);
    release();
    expect((await slow).mode).toBe('hybrid');
  });

  it('of two models never mix, and a rebuild drops those of the other', async () => {
    await using index = await startIndex();
    index.put(docs, 'a.md', ['cats purr', 'dogs bark']);
    await index.embed();
    const second = { embedding: { ...index.scope().embedding, model: 'second' } };
    expect(await index.reader.embedStatus(index.scope(second))).toMatchObject({
      embedded: 0,
      pending: 2,
      stale: 2,
    });
    const { mode, notes } = await index.reader.search(
      { query: 'cats', mode: 'hybrid' },
      index.scope(second),
      never,
    );
    expect([mode, notes]).toEqual([
      'keyword',
      [expect.stringContaining('no embeddings of second yet: run `zoo sync`')],
    ]);
    await index.embed(true, second);
    expect(await index.reader.embedStatus(index.scope(second))).toMatchObject({
      embedded: 2,
      pending: 0,
      stale: 0,
    });
    expect(await index.reader.embedStatus(index.scope())).toMatchObject({
      embedded: 0,
      pending: 2,
      stale: 2,
    });
  });

  it('are kept when the service fails, and a rebuild drops none before the first response', async () => {
    await using index = await startIndex();
    index.put(docs, 'a.md', ['cats purr', 'dogs bark', 'cows moo']);
    const small = { embedding: { ...index.scope().embedding, batch_size: 1 } };
    index.server.answers.push(
      { status: 200, body: { data: [{ index: 0, embedding: fakeVector('cats purr', 32) }] } },
      { status: 500, body: { error: { message: 'tired' } } },
    );
    await expect(index.embed(false, small)).rejects.toMatchObject({
      code: 'tool_error',
      message: expect.stringContaining('tired'),
    });
    expect(await index.reader.embedStatus(index.scope())).toMatchObject({
      embedded: 1,
      pending: 2,
      last_error: expect.stringContaining('500: tired'),
    });
    index.server.answers.push({ status: 500, body: { error: { message: 'tired' } } });
    await expect(index.embed(true)).rejects.toThrow(/tired/);
    expect(await index.reader.embedStatus(index.scope())).toMatchObject({ embedded: 1 });
    expect(await index.embed()).toEqual({ embedded: 2 });
    expect(await index.reader.embedStatus(index.scope())).toMatchObject({ embedded: 3, last_error: null });
  });

  it('are computed for all other texts when one is rejected', async () => {
    await using index = await startIndex();
    index.put(docs, 'a.md', ['cats purr', 'poison', '']);
    const refused = { status: 400, body: { error: { message: 'bad text' } } };
    const ok = (text: string) => ({
      status: 200,
      body: { data: [{ index: 0, embedding: fakeVector(text, 32) }] },
    });
    // The batch, its halves down to the single text, and then each text alone.
    index.server.answers.push(refused, refused, ok('cats purr'), refused, ok('cats purr'), refused);
    expect(await index.embed()).toEqual({ embedded: 2 });
    expect(index.sent().at(-1)).toBe('Top');
    expect(await index.reader.embedStatus(index.scope())).toMatchObject({
      embedded: 2,
      pending: 1,
      last_error: expect.stringContaining('bad text'),
    });
  });

  it('fall back to keyword search, with a note, when the query cannot be embedded', async () => {
    await using index = await startIndex();
    index.put(docs, 'a.md', ['cats purr']);
    await index.embed();
    index.server.answers.push({ status: 503, body: 'gone' });
    const { mode, notes, results } = await index.reader.search({ query: 'cats' }, index.scope(), never);
    expect(mode).toBe('keyword');
    expect(results).toHaveLength(1);
    expect(notes).toEqual([
      expect.stringMatching(/could not be embedded: .*503: gone.* Used keyword search\.$/),
    ]);
    const again = await index.reader.search({ query: 'cats' }, index.scope(), never);
    expect([again.mode, again.notes]).toEqual(['hybrid', []]);
  });

  it('report a model that returns another number of dimensions', async () => {
    await using index = await startIndex();
    index.put(docs, 'a.md', ['cats purr']);
    await index.embed();
    index.server.answers.push({ status: 200, body: { data: [{ index: 0, embedding: [1, 2, 3] }] } });
    const { notes } = await index.reader.search({ query: 'cats' }, index.scope(), never);
    expect(notes).toEqual([expect.stringContaining('run `zoo embed rebuild`')]);
    index.put(docs, 'b.md', ['dogs bark']);
    index.server.answers.push({ status: 200, body: { data: [{ index: 0, embedding: [1, 2, 3] }] } });
    await expect(index.embed()).rejects.toThrow(/now returns 3 dimensions, and the index has 32/);
  });

  it('are found through their bits as accurately as by full vectors', async () => {
    await using index = await startIndex(256);
    const words = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu'.split(' ');
    index.put(
      docs,
      'a.md',
      Array.from({ length: 60 }, (_, n) => `${words[n % 12]} ${words[(n * 5) % 11]} text${n}`),
    );
    await index.embed();
    const connection = openIndexForReading(index.file)!;
    const model = findModel(connection, encoderOf(index.scope().embedding)!.fingerprint)!;
    const query = Float32Array.from(fakeVector('gamma kappa', 256));
    const everything = { sql: null, params: [], possible: true };
    const exact = searchVectors(connection, model, query, everything, 5);
    const byBits = searchVectors(connection, model, query, everything, 5, 0);
    expect(byBits.map(({ score }) => score.toFixed(4))).toEqual(exact.map(({ score }) => score.toFixed(4)));
    connection.close();
  });

  it('work with dimensions that do not fill whole bytes', async () => {
    await using index = await startIndex(27);
    index.put(docs, 'a.md', ['cats purr', 'dogs bark']);
    await index.embed();
    const { results } = await index.reader.search(
      { query: 'dogs bark', mode: 'semantic' },
      index.scope({ retrieval: { min_relevance: 0 } }),
      never,
    );
    expect(results[0]?.passages[0]?.snippet).toBe('**dogs** **bark**');
  });

  it('are not computed without a provider, and a note says so', async () => {
    await using index = await startIndex();
    index.put(docs, 'a.md', ['cats purr']);
    await expect(index.embed(false, { embedding: {} })).rejects.toThrow(/set \[embedding\] provider/);
    const { mode, notes } = await index.reader.search(
      { query: 'cats' },
      index.scope({ embedding: {} }),
      never,
    );
    expect([mode, notes]).toEqual(['keyword', []]);
  });
});
