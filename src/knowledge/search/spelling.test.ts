import { describe, expect, it } from 'vitest';
import { scopeOf } from '../../../test/knowledge/sample-index.ts';
import { sampleReader } from '../../../test/knowledge/sample-reader.ts';
import { createIndexWriter } from '../index/create-index-writer.ts';

const books = { owner: null, type: 'filesystem', name: 'books' } as const;
const code = { owner: null, type: 'git', name: 'code' } as const;
const never = new AbortController().signal;
const text =
  'The ledger balances every payment. A client retries with exponential backoff, and a block of journals is kept in the queue.';
const rare = 'A cmit of mine by barch, with 9fceb02d0ae598e95dc970b74767f19372d61af8 and a1b2c3d fixed it.';
const often = 'Each commit is on a branch, or in the stash; look at the stats, the stats, for once.';

const reader = sampleReader((file) => {
  const writer = createIndexWriter({ file });
  writer.put(
    writer.openSource(books, '/somewhere/books'),
    { path: 'books.md', fingerprint: '1', contentHash: 'c', settingsHash: 's', bytes: 100, problem: null },
    { title: 'Books', text, mimeType: 'text/markdown', metadata: {}, url: null, updatedAt: null },
    [{ headings: ['Books'], body: text, tokens: 20, lineStart: 1, lineEnd: 1 }],
  );
  for (let n = 0; n < 120; n++) {
    const body = n === 0 ? rare : n < 20 ? often : often.replace('stash', 'drawer');
    writer.put(
      writer.openSource(code, '/somewhere/code'),
      { path: `${n}.md`, fingerprint: '1', contentHash: 'c', settingsHash: 's', bytes: 9, problem: null },
      { title: `${n}`, text: body, mimeType: 'text/markdown', metadata: {}, url: null, updatedAt: null },
      [{ headings: [], body, tokens: 20, lineStart: 1, lineEnd: 1 }],
    );
  }
  writer.close();
});

const search = async (query: string) => {
  const { results, notes } = await reader().search({ query }, scopeOf([books]), never);
  return { paths: results.map(({ path }) => path), notes };
};

describe('a word that is in no document', () => {
  it.each([
    ['a missing vowel', 'ledgr', 'ledger'],
    ['a missing consonant', 'leder', 'ledger'],
    ['a letter too many', 'leddger', 'ledger'],
    ['a wrong vowel', 'ladger', 'ledger'],
    ['a wrong consonant', 'ledfer', 'ledger'],
    ['two swapped letters', 'paymnet', 'payments'],
    ['one of two equal letters', 'backof', 'backoff'],
    ['a missing letter before an ending', 'jornals', 'journals'],
    ['a missing letter in a word of five', 'blok', 'block'],
    ['two errors in a long word', 'exponentall', 'exponential'],
  ])('is taken for the nearest: %s, %s', async (_what, typed, meant) => {
    const { paths, notes } = await search(typed);
    expect(paths).toEqual(['books.md']);
    expect(notes).toEqual([`"${typed}" is in no document; searched for "${meant}".`]);
  });

  it.each([
    ['comit', 'commit'],
    ['brach', 'branch'],
    ['stahs', 'stash'],
    ['9fceb02', '9fceb02d0ae598e95dc970b74767f19372d61af8'],
    ['a1b2c3d4e5f6a7b8', 'a1b2c3d'],
    ['commitbranch', 'commit branch'],
  ])('is taken for what is meant most likely: %s', async (query, meant) => {
    const { results, notes } = await reader().search({ query, limit: 1 }, scopeOf([code]), never);
    expect(results).toHaveLength(1);
    expect(notes).toEqual([`"${query}" is in no document; searched for "${meant}".`]);
  });

  it.each(['9fceb', '9fceb03', 'ommitbranch', 'commitbranchx', 'a1b2c4d4e5f6a7b8'])(
    'is not taken for a hash or two joined words that it only resembles: %s',
    async (query) => {
      const { results } = await reader().search({ query, limit: 1 }, scopeOf([code]), never);
      expect(results).toEqual([]);
    },
  );

  it('needs no correction if only its ending is wrong', async () => {
    expect(await search('retrys')).toEqual({ paths: ['books.md'], notes: [] });
  });

  it.each(['lxdgq', 'xedger', 'bxckxf', 'quaue99', 'qeeee', 'blxx', 'lgr', 'zzzzz', 'kept1', 'pqymxnt'])(
    'is not corrected to a word that is too different: %s',
    async (typed) => expect(await search(typed)).toEqual({ paths: [], notes: [] }),
  );

  it('is not corrected to a word that the caller may not see', async () => {
    const typed = { query: 'emploees' };
    expect((await reader().search(typed, scopeOf(), never)).notes).toEqual([]);
    const owner = scopeOf([{ owner: 'w2', type: 'filesystem', name: 'secret' }]);
    expect((await reader().search(typed, owner, never)).notes).toEqual([
      '"emploees" is in no document; searched for "employees".',
    ]);
  });
});

describe('two words that a document writes as one', () => {
  it.each(['back off', 'Back Off', 'led ger', 'retries back off', 'back-off'])('%s', async (query) => {
    expect(await search(query)).toEqual({ paths: ['books.md'], notes: [] });
  });

  it('are as relevant as the one word', async () => {
    const relevances = async (query: string) => {
      const { results } = await reader().search({ query }, scopeOf([books, code]), never);
      return results.map(({ relevance }) => relevance);
    };
    expect(await relevances('back off')).toEqual(await relevances('backoff'));
  });
});
