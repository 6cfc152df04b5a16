import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fillSampleIndex, scopeOf as scope, secret } from '../../../test/knowledge/sample-index.ts';
import { sampleReader } from '../../../test/knowledge/sample-reader.ts';
import { tempFolder } from '../../../test/temp-folder.ts';
import { createIndexReader } from './create-index-reader.ts';

const never = new AbortController().signal;

const reader = sampleReader();

describe('a document', () => {
  const idOf = async (path: string) => (await reader().match(path, scope(), never))[0]?.id ?? '';

  it('is read whole, by lines, or by a chunk and its neighbours', async () => {
    const id = await idOf('guide/payments.md');
    const whole = await reader().get({ id }, scope(), never);
    expect(whole).toMatchObject({
      title: 'Payments',
      lines: 6,
      line_start: 1,
      line_end: 6,
      chunks: [{}, {}],
    });
    expect(whole.body).toMatch(/^A refund[^]*an hour\.\n\n$/);
    const lines = await reader().get({ id, line_start: 2, line_end: 4 }, scope(), never);
    expect(lines.body.split('\n')).toEqual([
      'Call createRefundRequest() from src/refunds/create.ts.',
      '',
      'When a card is declined, the service raises ERR_CARD_DECLINED (code E4012).',
    ]);
    const chunk = await reader().get({ id: `${id}#1` }, scope(), never);
    expect(chunk).toMatchObject({ line_start: 4, line_end: 5, chunks: [{ id: `${id}#1` }] });
    const around = await reader().get({ id: `${id}#1`, neighbours: 1 }, scope(), never);
    expect(around).toMatchObject({ line_start: 1, line_end: 5 });
    expect(around.body).toContain('paid back');
    expect((await reader().get({ id: `agent-zoo://documents/${id}` }, scope(), never)).id).toBe(id);
  });

  it('that is missing or not visible is not found, with the nearest match', async () => {
    const hidden = (await reader().match('salaries.md', scope([secret]), never))[0]?.id ?? '';
    await expect(reader().get({ id: hidden }, scope(), never)).rejects.toMatchObject({
      code: 'document_not_found',
    });
    await expect(reader().get({ id: 'payments.md' }, scope(), never)).rejects.toMatchObject({
      code: 'document_not_found',
      message: expect.stringContaining('docs/guide/payments.md ('),
    });
    const id = await idOf('guide/payments.md');
    await expect(reader().get({ id: `${id}#7` }, scope(), never)).rejects.toThrow(/has no chunk 7: it has 2/);
    await expect(reader().get({ id, line_start: 90 }, scope(), never)).rejects.toThrow(/has 6 lines/);
  });

  it('is also read by its path or URL, if that is unique', async () => {
    const id = await idOf('guide/payments.md');
    const get = async (name: string) => (await reader().get({ id: name }, scope(), never)).id;
    for (const name of [
      'guide/payments.md',
      '/guide/payments.md',
      'docs/guide/payments.md',
      'filesystem:docs/guide/payments.md',
      'https://docs.example.com/payments',
      'guide/payments.md#1',
      `agent-zoo://documents/${id}%231`,
    ]) {
      expect(await get(name)).toBe(id);
    }
    await expect(get('salaries.md')).rejects.toMatchObject({ code: 'document_not_found' });
    await expect(get('agent-zoo://documents/%ZZ')).rejects.toMatchObject({ code: 'document_not_found' });
  });

  it('with an ambiguous name lists the matches, each once', async () => {
    const get = (name: string) => reader().get({ id: name }, scope(), never);
    const id = await idOf('guide/payments.md');
    await expect(get('payment.md')).rejects.toThrow(`; did you mean docs/guide/payments.md (${id}), `);
    await expect(get(id.toUpperCase())).rejects.toMatchObject({ details: { nearest: [id] } });
    await expect(get('x'.repeat(5_000))).rejects.toThrow(/^document "x{120}…" not found$/);
  });

  it('reports a line range that ends before it starts', async () => {
    const id = await idOf('guide/payments.md');
    await expect(reader().get({ id, line_start: 4, line_end: 2 }, scope(), never)).rejects.toThrow(
      'the end is before the start',
    );
  });

  it.each([
    ['guide/payments.md', ['guide/payments.md']],
    ['./guide/payments.md', ['guide/payments.md']],
    ['docs/guide/payments.md', ['guide/payments.md']],
    ['guide/*.md', ['guide/deploy.md', 'guide/payments.md']],
    ['**/*pay*', ['guide/payments.md']],
    ['https://docs.example.com/payments/', ['guide/payments.md']],
    ['https://docs.example.com/payments#refunds', ['guide/payments.md']],
    ['salaries.md', []],
    ['[', []],
  ])('is behind %s', async (reference, found) => {
    expect((await reader().match(reference, scope(), never)).map(({ path }) => path)).toEqual(found);
  });

  it('is completed from the beginning of its id or any part of its title or path', async () => {
    const id = await idOf('guide/deploy.md');
    expect((await reader().complete(id.slice(0, 5), scope())).map((one) => one.id)).toContain(id);
    expect((await reader().complete('deplo', scope())).map(({ path }) => path)).toEqual(['guide/deploy.md']);
    expect(await reader().complete('50%_', scope())).toEqual([]);
  });

  it('is listed page by page', async () => {
    const seen: string[] = [];
    for (let after: string | null = null; ;) {
      const page = await reader().documents(scope(), { after, limit: 2 });
      seen.push(...page.map(({ path }) => path));
      if (page.length < 2) break;
      after = page.at(-1)?.id ?? null;
    }
    expect(seen.toSorted()).toEqual([
      'guide/deploy.md',
      'guide/payments.md',
      'ja/memo.md',
      'payments/oncall.md',
    ]);
  });
});

describe('the threads', () => {
  it('count the documents of each source', async () => {
    expect(await reader().sources(scope())).toMatchObject([
      {
        type: 'filesystem',
        name: 'docs',
        documents: 3,
        chunks: 5,
        bytes: 300,
        tokens: 100,
        failed: [],
        last_sync: null,
      },
      { owner: 'w1', type: 'git', name: 'runbooks', documents: 1 },
    ]);
    expect(await reader().allSources()).toHaveLength(3);
    expect(await reader().indexBytes()).toBeGreaterThan(10_000);
  });

  it('cancel the request of a disconnected caller and answer the next', async () => {
    const abort = new AbortController();
    const gone = reader().search({ query: 'refund' }, scope(), abort.signal);
    abort.abort();
    await expect(gone).rejects.toThrow(/abort/i);
    expect((await reader().search({ query: 'refund' }, scope(), never)).results).not.toEqual([]);
  });

  it('notice when the index is created, damaged and rebuilt', async () => {
    await using folder = await tempFolder();
    const later = join(folder.path, 'later.db');
    const own = createIndexReader({ file: later });
    const search = () => own.search({ query: 'refund' }, scope(), never);
    expect(await search()).toMatchObject({ results: [], notes: [expect.stringContaining('run `zoo sync`')] });
    expect(await own.embedStatus(scope())).toMatchObject({ provider: 'disabled', chunks: 0 });
    fillSampleIndex(later);
    expect((await search()).results).not.toEqual([]);

    const other = join(folder.path, 'other.db');
    fillSampleIndex(other);
    writeFileSync(other, readFileSync(other).fill(0x55, 4096));
    const broken = createIndexReader({ file: other });
    await expect(broken.search({ query: 'refund' }, scope(), never)).rejects.toThrow(/damaged .*`zoo sync`/);
    fillSampleIndex(other);
    expect((await broken.search({ query: 'refund' }, scope(), never)).results).not.toEqual([]);
    await Promise.all([own.close(), broken.close()]);
  });
});
