import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { type RunningHub, startHub } from '../start-hub.ts';

const SOON = { timeout: 40_000, interval: 50 };
const Asked = z.looseObject({ model: z.string(), input: z.array(z.string()) });

/** An embedding service as OpenAI's is: texts about the same animals have the same direction. */
async function startProvider() {
  const animals = ['quokka', 'wombat', 'numbat', 'marsupial'];
  const asked: { texts: string[]; key: string | undefined; model: string }[] = [];
  const state = { down: false };
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const { model, input } = Asked.parse(JSON.parse(text));
      asked.push({ texts: input, key: request.headers.authorization, model });
      if (state.down) {
        response.writeHead(503).end('{"error": {"message": "busy"}}');
        return;
      }
      const data = input.map((each, index) => {
        const words = each.toLowerCase();
        const vector = animals.map((animal, at) =>
          words.includes(animal) || (at === 3 && words.includes('quokka')) ? 1 : 0.01,
        );
        return { index, object: 'embedding', embedding: vector };
      });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ object: 'list', data, model }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    state,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

const embedding = (url: string, model = 'test-embedder') =>
  `[embedding]\nprovider = "openai"\nurl = "${url}"\nmodel = "${model}"\napi_key = "\${TEST_EMBED_KEY}"\nmax_retries = 0\n`;
const docs = {
  'docs/quokka.md': '# Small animals\n\nThe quokka smiles.\n',
  'docs/wombat.md': '# Diggers\n\nThe wombat digs.\n',
};
const source = '[connectors.filesystem.docs]\nroot = "docs"\n';

async function settled(hub: RunningHub): Promise<void> {
  await vi.waitFor(async () => {
    const { sources } = (await hub.request('GET', '/api/knowledge/sources')).body;
    expect(sources).toMatchObject([{ syncing: false, documents: 2 }]);
    expect(sources[0].last_sync).not.toBeNull();
  }, SOON);
}

const status = async (hub: RunningHub) => (await hub.request('GET', '/api/knowledge/embedding')).body;

describe('vectors', () => {
  it('are computed by a sync, searched, counted and rebuilt', async () => {
    await using provider = await startProvider();
    await using hub = await startHub(
      { 'zoo.toml': source, ...docs },
      { own: { 'zoo.toml': embedding(provider.url) }, env: { TEST_EMBED_KEY: 'secret-key' } },
    );
    await settled(hub);
    await vi.waitFor(async () => expect(await status(hub)).toMatchObject({ embedded: 2, pending: 0 }), SOON);
    expect(await status(hub)).toMatchObject({ provider: 'openai', model: 'test-embedder', dims: 4 });
    expect(provider.asked[0]?.key).toBe('Bearer secret-key');

    const found = (await hub.request('POST', '/tools/search', { query: 'marsupial', mode: 'semantic' })).body
      .result;
    expect(found).toMatchObject({ mode: 'semantic', results: [{ title: 'Small animals' }] });
    const stats = (await hub.request('GET', '/api/knowledge/stats')).body;
    expect(stats).toMatchObject({ documents: 2, embedding: { embedded: 2 } });
    // The key is nowhere in what is answered.
    const answers = ['sources', 'stats', 'embedding'].map((what) =>
      hub.request('GET', `/api/knowledge/${what}`),
    );
    expect(JSON.stringify(await Promise.all(answers))).not.toContain('secret-key');

    provider.asked.length = 0;
    const { body } = await hub.request('POST', '/api/knowledge/embedding/rebuild', { all: true });
    expect(body).toContain('"type":"end","ok":true');
    const texts = provider.asked.flatMap((each) => each.texts);
    expect(texts.filter((text) => /quokka|wombat/.test(text))).toHaveLength(2);
  });

  it('that fail are reported, and keyword search still works', async () => {
    await using provider = await startProvider();
    provider.state.down = true;
    await using hub = await startHub(
      { 'zoo.toml': source, ...docs },
      { own: { 'zoo.toml': embedding(provider.url) }, env: { TEST_EMBED_KEY: 'secret-key' } },
    );
    await settled(hub);
    const found = (await hub.request('POST', '/tools/search', { query: 'wombat digs' })).body.result;
    expect(found.results).toMatchObject([{ title: 'Diggers' }]);
    const { body } = await hub.request('POST', '/api/knowledge/sync', {});
    expect(body).toMatch(/503|busy/);
    await vi.waitFor(async () => expect((await status(hub)).last_error).toMatch(/503|busy/), SOON);
  });

  it('are not computed by a provider of an untrusted workspace', async () => {
    await using provider = await startProvider();
    await using stranger = await startProvider();
    await using hub = await startHub(
      { 'zoo.toml': source + embedding(stranger.url), ...docs },
      { own: { 'zoo.toml': embedding(provider.url) }, env: { TEST_EMBED_KEY: 'secret-key' } },
    );
    await settled(hub);
    await vi.waitFor(async () => expect(await status(hub)).toMatchObject({ embedded: 2 }), SOON);
    expect(stranger.asked).toEqual([]);
    expect(provider.asked.length).toBeGreaterThan(0);
    const { hash } = (await hub.request('GET', '/api/trust')).body;
    await hub.request('PUT', '/api/trust', { hash });
    await vi.waitFor(() => expect(stranger.asked.length).toBeGreaterThan(0), SOON);
  });
});
