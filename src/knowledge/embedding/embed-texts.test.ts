import { describe, expect, it } from 'vitest';
import { fakeVector, startFakeEmbeddings } from '../../../test/knowledge/fake-embeddings.ts';
import { embedTexts, encoderOf } from './embed-texts.ts';
import type { EmbeddingConfig } from './embedding-provider.ts';

const never = new AbortController().signal;

function embed(
  config: EmbeddingConfig,
  texts: string[],
  kind: 'document' | 'query' = 'document',
  signal = never,
) {
  const encoder = encoderOf(config);
  if (!encoder) throw new Error('no encoder');
  return embedTexts(encoder, texts, kind, { signal, backoffMs: 1 });
}

describe('embedding', () => {
  it('supports OpenAI-compatible APIs, with a key, in batches', async () => {
    await using server = await startFakeEmbeddings();
    const config = {
      provider: 'openai',
      url: `${server.url}/v1/`,
      api_key: 'sk-secret',
      batch_size: 2,
    } as const;
    const vectors = await embed(config, ['one', 'two', 'three']);
    expect(vectors.map((vector) => [...vector])).toEqual(
      ['one', 'two', 'three'].map((text) => [...Float32Array.from(fakeVector(text, 32))]),
    );
    expect(server.calls.map(({ path, body }) => [path, body])).toEqual([
      [
        '/v1/embeddings',
        { model: 'text-embedding-3-small', input: ['one', 'two'], encoding_format: 'float' },
      ],
      ['/v1/embeddings', { model: 'text-embedding-3-small', input: ['three'], encoding_format: 'float' }],
    ]);
    expect(server.calls[0]?.headers.authorization).toBe('Bearer sk-secret');
  });

  it('requests fewer dimensions if the model supports it, and sorts the results', async () => {
    await using server = await startFakeEmbeddings({
      answers: [
        {
          status: 200,
          body: {
            data: [
              { index: 1, embedding: [2, 2] },
              { index: 0, embedding: [1, 1] },
            ],
          },
        },
      ],
    });
    const vectors = await embed({ provider: 'openai', url: `${server.url}/v1`, dims: 2 }, ['a', 'b']);
    expect(vectors.map((vector) => vector[0])).toEqual([1, 2]);
    expect(server.calls[0]?.body.dimensions).toBe(2);
  });

  it.each([
    ['openai', { data: [{ index: 0, embedding: [1, null] }] }, 'did not return a vector for each text'],
    ['openai', { data: [{ embedding: [1, 2] }, { embedding: [3, 4] }] }, 'returned 2 vectors for 1 texts'],
    ['openai', { data: [{ index: 7, embedding: [1, 2] }] }, 'did not return a vector for each text'],
    ['ollama', { embeddings: [[1, null]] }, 'did not return a vector for each text'],
    [
      'ollama',
      {
        embeddings: [
          [1, 2],
          [3, 4],
        ],
      },
      'returned 2 vectors for 1 texts',
    ],
  ] as const)(
    'rejects responses of %s without one complete vector per text: %j',
    async (provider, body, why) => {
      await using server = await startFakeEmbeddings({ answers: [{ status: 200, body }] });
      await expect(embed({ provider, url: server.url }, ['a'])).rejects.toThrow(why);
    },
  );

  it('supports Ollama, and marks queries for models that need it', async () => {
    await using server = await startFakeEmbeddings();
    const config = { provider: 'ollama', url: server.url } as const;
    await embed(config, ['why'], 'query');
    await embed(config, ['because'], 'document');
    await embed({ ...config, model: 'all-minilm' }, ['why'], 'query');
    expect(server.calls.map(({ path, body }) => [path, body.model, body.input])).toEqual([
      ['/api/embed', 'nomic-embed-text', ['search_query: why']],
      ['/api/embed', 'nomic-embed-text', ['search_document: because']],
      ['/api/embed', 'all-minilm', ['why']],
    ]);
  });

  it('retries when the service is unavailable, after the delay it asks for', async () => {
    await using server = await startFakeEmbeddings({
      answers: [
        { status: 429, headers: { 'retry-after': '0.05' }, body: { error: { message: 'slow down' } } },
        { status: 503, body: 'upstream gone' },
      ],
    });
    const startedAt = performance.now();
    expect(await embed({ provider: 'openai', url: server.url }, ['x'])).toHaveLength(1);
    expect(performance.now() - startedAt).toBeGreaterThan(45);
    expect(server.calls).toHaveLength(3);
  });

  it('stops after max_retries and reports the error', async () => {
    const busy = { status: 500, body: { error: 'out of memory' } };
    await using server = await startFakeEmbeddings({ answers: [busy, busy, busy] });
    await expect(embed({ provider: 'ollama', url: server.url, max_retries: 1 }, ['x'])).rejects.toThrow(
      /unavailable \(500: out of memory\); try again later/,
    );
    expect(server.calls).toHaveLength(2);
  });

  it('splits a batch and shortens a text that is too large', async () => {
    const refused = { status: 400, body: { error: { message: 'maximum context length' } } };
    await using server = await startFakeEmbeddings({ answers: [refused, refused] });
    const texts = ['words'.repeat(200), 'short'];
    expect(await embed({ provider: 'openai', url: server.url }, texts)).toHaveLength(2);
    expect(server.calls.map(({ body }) => body.input.map(({ length }) => length))).toEqual([
      [1000, 5],
      [1000],
      [600],
      [5],
    ]);
  });

  const refusals: [
    title: string,
    config: EmbeddingConfig,
    answer: { status: number; body: unknown },
    message: RegExp,
  ][] = [
    [
      'a wrong key',
      { provider: 'openai', api_key: 'sk-abcdef123' },
      { status: 401, body: { error: { message: 'Incorrect API key sk-abcdef123' } } },
      /refused the key .*set \[embedding\] api_key/,
    ],
    [
      'a missing model',
      { provider: 'ollama', model: 'nope' },
      { status: 404, body: { error: 'model "nope" not found, try pulling it first' } },
      /run `ollama pull nope`/,
    ],
    [
      'a wrong address',
      { provider: 'openai' },
      { status: 404, body: '<html>' },
      /returned 404 .*check \[embedding\] url and model/,
    ],
    ['no JSON', { provider: 'openai' }, { status: 200, body: '<html>' }, /something other than JSON/],
    [
      'no vectors',
      { provider: 'openai' },
      { status: 200, body: { choices: [] } },
      /did not return a vector for each text/,
    ],
    [
      'too few vectors',
      { provider: 'ollama' },
      { status: 200, body: { embeddings: [] } },
      /did not return a vector for each text/,
    ],
    [
      'invalid vectors',
      { provider: 'ollama' },
      { status: 200, body: { embeddings: [['a', null]] } },
      /did not return a vector/,
    ],
    [
      'other dimensions',
      { provider: 'ollama', dims: 99 },
      { status: 200, body: { embeddings: [[1, 2, 3]] } },
      /3 dimensions instead of 99; correct or remove/,
    ],
  ];
  it.each(refusals)(
    'says how to fix %s, without showing the key',
    async (_title, config, answer, message) => {
      await using server = await startFakeEmbeddings({ answers: [answer] });
      const failure = await embed({ ...config, url: server.url }, ['x']).catch((error: unknown) =>
        String(error),
      );
      expect(failure).toMatch(message);
      expect(failure).not.toContain('sk-abcdef123');
    },
  );

  it('reports servers that cannot be reached or time out', async () => {
    await expect(
      embed({ provider: 'ollama', url: 'http://127.0.0.1:9', max_retries: 0 }, ['x']),
    ).rejects.toThrow(/http:\/\/127\.0\.0\.1:9\/api\/embed cannot be reached .*check that it is running/);
    await expect(embed({ provider: 'openai', url: 'not an address' }, ['x'])).rejects.toThrow(/is not a URL/);
    const { createServer } = await import('node:http');
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const address = silent.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    await expect(
      embed({ provider: 'ollama', url, timeout_secs: 0.05, max_retries: 0 }, ['x']),
    ).rejects.toThrow(/timed out after 0.05 s/);
    silent.closeAllConnections();
    silent.close();
  });

  it('stops when the request is cancelled', async () => {
    await using server = await startFakeEmbeddings({
      answers: [{ status: 429, headers: { 'retry-after': '60' }, body: '' }],
    });
    const abort = new AbortController();
    const pending = embed({ provider: 'openai', url: server.url }, ['x'], 'document', abort.signal);
    setTimeout(() => abort.abort(), 30);
    await expect(pending).rejects.toThrow(/abort/i);
  });

  it('says how to install the local model runtime', async () => {
    await expect(embed({ provider: 'local' }, ['x'])).rejects.toThrow(
      /needs the package @huggingface\/transformers, which is not installed: run `npm install/,
    );
  });

  it('distinguishes models by provider, model, size and, if relevant, URL', () => {
    const fingerprints = [
      { provider: 'openai' },
      { provider: 'openai', model: 'other' },
      { provider: 'openai', dims: 256 },
      { provider: 'openai', url: 'http://localhost:1234/v1' },
      { provider: 'ollama' },
      { provider: 'local' },
    ].map((config) => encoderOf(config as EmbeddingConfig)?.fingerprint);
    expect(new Set(fingerprints).size).toBe(6);
    const moved = encoderOf({ provider: 'ollama', url: 'http://elsewhere:11434' });
    expect(moved?.fingerprint).toBe(encoderOf({ provider: 'ollama', api_key: 'k' })?.fingerprint);
    expect(encoderOf({ provider: 'disabled' })).toBeNull();
    expect(encoderOf({})).toBeNull();
  });
});
