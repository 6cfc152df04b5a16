import { describe, expect, it } from 'vitest';
import type { SearchFilters, SearchQuery } from '../../contract/knowledge.ts';
import { docs, runbooks, scopeOf as scope, secret } from '../../../test/knowledge/sample-index.ts';
import { sampleReader } from '../../../test/knowledge/sample-reader.ts';

const never = new AbortController().signal;

const reader = sampleReader();

async function paths(query: string, more: Partial<SearchQuery> = {}, in_ = scope()) {
  const { results } = await reader().search({ query, ...more }, in_, never);
  return results.map(({ path }) => path);
}

describe('a keyword search', () => {
  it.each([
    ['a question in plain words', 'how long does it take until a refund is paid back?', 'guide/payments.md'],
    ['an operator without its second half', 'rollback AND', 'guide/deploy.md'],
    ['an exact phrase', '"feature flag"', 'guide/deploy.md'],
    ['a path', 'src/refunds/create.ts', 'guide/payments.md'],
    ['the name of a file in a path', 'create.ts', 'guide/payments.md'],
    ['a name in camel case', 'createRefundRequest', 'guide/payments.md'],
    ['the same in small letters', 'createrefundrequest', 'guide/payments.md'],
    ['the same in snake case', 'create_refund_request', 'guide/payments.md'],
    ['a part of it', 'refund request', 'guide/payments.md'],
    ['a name in snake case', 'max_retry_count', 'guide/deploy.md'],
    ['a version', 'v1.2.3', 'guide/deploy.md'],
    ['a version without its v', '1.2.3', 'guide/deploy.md'],
    ['an error code', 'ERR_CARD_DECLINED', 'guide/payments.md'],
    ['a numbered error code', 'E4012', 'guide/payments.md'],
    ['its number alone', '4012', 'guide/payments.md'],
    ['text without spaces', '工場', 'ja/memo.md'],
    ['a sentence without spaces', '深圳の会議', 'ja/memo.md'],
    ['one character', '会', 'ja/memo.md'],
    ['a typo', 'rolback', 'guide/deploy.md'],
    ['two swapped letters in a short word', 'falg', 'guide/deploy.md'],
    ['a word without its accent', 'cafe', 'payments/oncall.md'],
    ['another form of a word', 'declining', 'guide/payments.md'],
    ['a title', 'deployments', 'guide/deploy.md'],
    ['a heading', 'latency', 'payments/oncall.md'],
    ['a path of a document', 'guide/deploy.md', 'guide/deploy.md'],
  ])('finds %s: %s', async (_what, query, path) => {
    expect((await paths(query))[0]).toBe(path);
  });

  it.each(['xqzvt blorf', 'qwertzuiop asdfghjkl', '', '   ', '"', '()*^:', '"AND" -', '\u{1f600}'])(
    'finds nothing for %j, and does not fail',
    async (query) => expect(await paths(query)).toEqual([]),
  );

  it('excludes and requires words', async () => {
    expect(await paths('payments -latency')).not.toContain('payments/oncall.md');
    expect((await paths('payments')).toSorted()).toEqual([
      'guide/deploy.md',
      'guide/payments.md',
      'payments/oncall.md',
    ]);
    expect(await paths('payments AND rollback')).toEqual(['guide/deploy.md']);
    expect(await paths('payments NOT "feature flag" -checkout')).not.toContain('payments/oncall.md');
  });

  it.each([
    ['"feature flag"', ['guide/deploy.md']],
    ['"rolled out with a feature"', ['guide/deploy.md']],
    ['"before"', ['guide/deploy.md']],
    ['"service raises ERR_CARD_DECLINED"', ['guide/payments.md']],
    ['"from src/refunds/create.ts"', ['guide/payments.md']],
    ['"refunds/create.ts"', ['guide/payments.md']],
    ['"SRC/Refunds/Create.ts"', ['guide/payments.md']],
    ['"card declined"', ['guide/payments.md']],
    ['"createrefundrequest()"', ['guide/payments.md']],
    ['"on-call for payments"', ['payments/oncall.md']],
    ['"工場で新しい"', ['ja/memo.md']],
    ['"the payments service" -"restarted first"', ['guide/deploy.md']],
    ['payments -"the payment service"', ['guide/deploy.md', 'guide/payments.md', 'payments/oncall.md']],
  ])('matches quoted text word by word: %s', async (query, found) => {
    const { results, notes } = await reader().search({ query }, scope(), never);
    expect(results.map(({ path }) => path).toSorted()).toEqual(found);
    expect(notes).toEqual([]);
  });

  it.each([
    ['"Feature flags"', 'guide/deploy.md', 'No document has the exact phrase "Feature flags"'],
    ['"flag feature"', 'guide/deploy.md', 'No document has the exact phrase'],
    ['"src/refunds/create.tsx"', 'guide/payments.md', 'No document has the exact phrase'],
    ['"payments Latency"', 'payments/oncall.md', 'No document has the exact phrase'],
    ['"新しい工場"', 'ja/memo.md', 'No document has the exact phrase'],
    ['"rolback"', 'guide/deploy.md', 'No document has the exact phrase'],
    ['checkout -latency', 'payments/oncall.md', 'Every result contains "latency"'],
    ['latency AND rollback', 'payments/oncall.md', 'No document has all of'],
  ])('drops an operator that leaves nothing, and says so: %s', async (query, path, note) => {
    const { results, notes } = await reader().search({ query }, scope(), never);
    expect(results[0]?.path).toBe(path);
    expect(notes[0]).toContain(note);
  });

  it.each([
    'Our user reported "the rollback does not work on Linux" when a feature flag was set before.',
    'Our user said: “a rollback takes hours”',
    '{"error": "rollback", "flag": "feature", "service": "restarted"}',
    'deploy ERR! code "EROLLBACK" rollback of the feature flag failed',
    'the rollback -which takes a minute- fails whenever the feature flag is set, we think',
  ])('takes quotes and dashes in prose for punctuation: %s', async (query) => {
    const { results, notes } = await reader().search({ query }, scope(), never);
    expect(results[0]?.path).toBe('guide/deploy.md');
    expect(notes).toEqual([]);
  });

  it('never calls a result more relevant than one above it', async () => {
    for (const query of ['payments', 'refund card latency payments', 'how is a refund of a card paid back']) {
      const { results } = await reader().search({ query }, scope(), never);
      const relevances = results.map(({ relevance }) => relevance);
      expect(relevances).toEqual(relevances.toSorted((a, b) => b - a));
      expect(Math.min(...relevances)).toBeGreaterThan(0);
    }
  });

  it('marks a phrase as a whole', async () => {
    const { results, notes } = await reader().search({ query: '"a feature flag"' }, scope(), never);
    expect(results[0]?.snippet).toContain('rolled out with **a feature flag**.');
    expect(notes).toEqual([]);
  });

  it('corrects a typo in a required word', async () => {
    expect(await paths('payments AND rolback')).toEqual(['guide/deploy.md']);
    expect(await paths('+rolback payments')).toEqual(['guide/deploy.md']);
  });

  it('returns the passage with its headings, line numbers and marked matches', async () => {
    const { results, mode, notes } = await reader().search(
      { query: 'card declined', explain: true },
      scope(),
      never,
    );
    expect(mode).toBe('keyword');
    expect(notes).toEqual([]);
    expect(results[0]).toMatchObject({
      title: 'Payments',
      headings: ['Payments', 'Failures'],
      snippet: expect.stringContaining('When a **card** is **declined**'),
      relevance: 1,
      source: 'filesystem:docs',
      path: 'guide/payments.md',
      url: 'https://docs.example.com/payments',
      updated_at: '2026-03-01T08:00:00.000Z',
      metadata: { team: 'money' },
      passages: [{ id: expect.stringMatching(/^[a-z0-9]{12}#1$/), lineStart: 4, lineEnd: 5 }],
      explain: { keywordRank: 1, vectorRank: null, matched: ['card', 'declin'] },
    });
  });

  it('reports how it corrected a typo', async () => {
    const { notes } = await reader().search({ query: 'checkuot' }, scope(), never);
    expect(notes).toEqual(['"checkuot" is in no document; searched for "checkout".']);
  });
});

describe('the visible part of the index', () => {
  it("includes the caller's own sources, and never those of another workspace", async () => {
    expect(await paths('salaries employees')).toEqual([]);
    expect(await paths('salaries', {}, scope([secret]))).toEqual(['salaries.md']);
    expect(await paths('payments', {}, scope([]))).toEqual([]);
    expect(await paths('payments', {}, scope([{ ...secret, owner: 'w3' }]))).toEqual([]);
  });

  const filtered: [title: string, filters: SearchFilters, found: string[]][] = [
    ['a source', { source: 'git:runbooks' }, ['payments/oncall.md']],
    ['the name of a source', { source: 'runbooks' }, ['payments/oncall.md']],
    ['a type', { source: 'filesystem' }, ['guide/deploy.md', 'guide/payments.md']],
    [
      'several sources',
      { source: ['runbooks', 'docs'] },
      ['guide/deploy.md', 'guide/payments.md', 'payments/oncall.md'],
    ],
    ['one of several that is there', { source: ['runbooks', 'secret'] }, ['payments/oncall.md']],
    [
      'empty filters',
      { source: '', path: '', since: '' },
      ['guide/deploy.md', 'guide/payments.md', 'payments/oncall.md'],
    ],
    ['a source of somebody else', { source: 'secret' }, []],
    ['a glob', { path: 'guide/*pay*' }, ['guide/payments.md']],
    ['a glob of a name at any depth', { path: '*pay*' }, ['guide/payments.md']],
    ['a name at any depth', { path: 'deploy.md' }, ['guide/deploy.md']],
    ['a folder', { path: 'guide/' }, ['guide/deploy.md', 'guide/payments.md']],
    ['a day', { since: '2026-03-01' }, ['guide/payments.md', 'payments/oncall.md']],
    ['an instant', { until: '2026-03-01T08:00:00Z' }, ['guide/deploy.md', 'guide/payments.md']],
    ['a month', { since: '2026-02', until: '2026-03' }, ['guide/payments.md']],
    ['a year', { until: '2026' }, ['guide/deploy.md', 'guide/payments.md', 'payments/oncall.md']],
    ['how long ago', { since: '1h' }, []],
    ['what is older', { until: '1h' }, ['guide/deploy.md', 'guide/payments.md', 'payments/oncall.md']],
    ['today', { since: 'today' }, []],
    ['both ends of one day', { since: '2026-01-15', until: '2026-01-15' }, ['guide/deploy.md']],
    ['metadata', { metadata: { team: 'money' } }, ['guide/payments.md']],
    ['one of a list', { metadata: { tags: 'cards' } }, ['guide/payments.md']],
    ['a yes or no', { metadata: { draft: true } }, ['guide/deploy.md']],
    ['metadata within metadata', { metadata: { 'owner.name': 'Ada' } }, ['guide/deploy.md']],
    ['metadata that holds others', { metadata: { owner: 'Ada' } }, []],
    ['metadata that nobody has', { metadata: { 'te"am\\': 'x' } }, []],
    ['what every object has', { metadata: { constructor: 'x', 'toString.name': 'toString' } }, []],
  ];
  it.each(filtered)('is narrowed down by %s', async (_what, filters, found) => {
    expect((await paths('payments', { filters })).toSorted()).toEqual(found);
  });

  it('is narrowed down before the best are chosen', async () => {
    const wide = scope([docs, runbooks], { candidate_k_keyword: 1 });
    expect(await paths('payments', { limit: 1, filters: { source: 'runbooks' } }, wide)).toEqual([
      'payments/oncall.md',
    ]);
  });

  it('reports invalid dates and unknown sources', async () => {
    for (const day of [
      'yesterday-ish',
      '2026-13-45',
      '2026-02-30',
      '11/15/2026',
      '7',
      '-1d',
      '2026-01-31Tx',
    ]) {
      for (const filters of [{ since: day }, { until: day }]) {
        await expect(paths('payments', { filters })).rejects.toMatchObject({
          code: 'invalid_arguments',
          message: expect.stringContaining('write a day as 2026-01-31'),
        });
      }
    }
    const { notes } = await reader().search({ query: 'x', filters: { source: 'nope' } }, scope(), never);
    expect(notes).toEqual([expect.stringContaining('Source "nope" not found')]);
  });
});

describe('[retrieval]', () => {
  it('limits and groups results, and applies the score threshold', async () => {
    expect(await paths('payments', {}, scope([docs, runbooks], { final_limit: 1 }))).toHaveLength(1);
    expect(await paths('payments', { limit: 2 }, scope([docs, runbooks], { final_limit: 1 }))).toHaveLength(
      2,
    );
    const { results } = await reader().search(
      { query: 'refund card' },
      scope([docs], { max_chunks_per_doc: 1 }),
      never,
    );
    expect(results[0]?.passages).toHaveLength(1);
    const chunks = await reader().search(
      { query: 'refund card' },
      scope([docs], { group_by: 'chunk' }),
      never,
    );
    expect(chunks.results.map(({ path }) => path)).toEqual(['guide/payments.md', 'guide/payments.md']);
    expect(await paths('payments zeppelin', {}, scope([docs], { min_relevance: 0.9 }))).toEqual([]);
    const { notes } = await reader().search({ query: 'refund' }, scope([docs], { doc_agg: 'median' }), never);
    expect(notes).toEqual(['[retrieval] doc_agg = "median" is not one of max, sum, mean, avg, average.']);
  });

  it('notes that semantic search is not available', async () => {
    const { mode, notes, results } = await reader().search(
      { query: 'refund', mode: 'semantic' },
      scope(),
      never,
    );
    expect(mode).toBe('keyword');
    expect(results).not.toEqual([]);
    expect(notes).toEqual([
      expect.stringContaining('[embedding] provider is disabled. Used keyword search.'),
    ]);
  });
});
