import { describe, expect, it } from 'vitest';
import { sampleReader } from '../../../test/knowledge/sample-reader.ts';
import { createIndexWriter } from '../index/create-index-writer.ts';

const texts: Record<string, string> = {
  'payments-restart.md': 'Restart payments-api: drain the queue, then restart the service.',
  'payments-latency.md':
    'High latency of payments-api: look at the database and the colour of the dashboard.',
  'payments-errors.md':
    'payments-api answers 502: check the upstream. Written in C++ and C#, ported to .NET. 🚀',
  'search.md': "Reindex the catalogue when search-api is stale; `chok.watch('**/*.js')` watches it.",
};
const one = { owner: null, type: 'filesystem', name: 'one' } as const;
const four = { owner: null, type: 'filesystem', name: 'four' } as const;

function fill(file: string, source: typeof one | typeof four, names: readonly string[]) {
  const writer = createIndexWriter({ file });
  const id = writer.openSource(source, '/somewhere');
  for (const path of names) {
    const text = texts[path] ?? '';
    writer.put(
      id,
      { path, fingerprint: '1', contentHash: 'c', settingsHash: 's', bytes: 9, problem: null },
      { title: path, text, mimeType: 'text/markdown', metadata: {}, url: null, updatedAt: null },
      [{ headings: [], body: text, tokens: 20, lineStart: 1, lineEnd: 1 }],
    );
  }
  writer.close();
}

const never = new AbortController().signal;

describe('four runbooks', () => {
  const reader = sampleReader((file) => fill(file, four, Object.keys(texts)));
  const search = (query: string) =>
    reader().search({ query }, { sources: [four], retrieval: {}, embedding: {} }, never);

  it.each([
    ['payments-api', ['payments-errors.md', 'payments-latency.md', 'payments-restart.md', 'search.md']],
    ['payments', ['payments-errors.md', 'payments-latency.md', 'payments-restart.md']],
    [
      'how do I restart the payments service',
      ['payments-errors.md', 'payments-latency.md', 'payments-restart.md'],
    ],
    ['catalog', ['search.md']],
    ['color', ['payments-latency.md']],
    ['.NET', ['payments-errors.md']],
    ['C++', ['payments-errors.md']],
    ['C#', ['payments-errors.md']],
    ['🚀', ['payments-errors.md']],
  ])('are all found that have a word of %s', async (query, found) => {
    const { results } = await search(query);
    expect(results.map(({ path }) => path).toSorted()).toEqual(found);
  });

  it('are ranked by the rarer word, with relevance in the same order', async () => {
    const { results } = await search('restart payments');
    expect(results[0]).toMatchObject({ path: 'payments-restart.md', relevance: 1 });
    expect(results[1]?.relevance).toBeLessThan(0.6);
  });

  it('keep globs in their snippets', async () => {
    expect((await search('reindex')).results[0]?.snippet).toContain("chok.watch('**/*.js')");
  });

  it('are found by the names in a stack trace, not by its numbers', async () => {
    const trace = `Error: connect ECONNREFUSED\n    at payments-api (/srv/payments-api/restart.js:502:11)\n    at queue.drain (node:502)`;
    expect((await search(trace)).results[0]?.path).toBe('payments-restart.md');
  });
});

describe('one document', () => {
  const reader = sampleReader((file) => fill(file, one, ['search.md']));
  it.each(['reindex', 'search-api', 'when is the catalogue stale?'])('is found by %s', async (query) => {
    const scope = { sources: [one], retrieval: {}, embedding: {} };
    const { results } = await reader().search({ query }, scope, never);
    expect(results).toMatchObject([{ path: 'search.md' }]);
  });
});
