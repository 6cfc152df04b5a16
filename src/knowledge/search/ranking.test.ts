import { describe, expect, it } from 'vitest';
import { invertEntries } from '../index/postings.ts';
import { idfOf, repetitionWeight, scoreEntries, scorePostings, termScore } from './bm25.ts';
import { exactPhrase } from './exact-phrase.ts';
import { feedbackTerms } from './feedback.ts';
import { decodeForward, encodeForward, type ForwardEntry } from '../index/forward-index.ts';
import { fuseRankings } from './fusion.ts';
import { groupCandidates } from './group-candidates.ts';
import { snippetOf } from './snippet.ts';
import { editDistance } from './spelling.ts';

const entry = (length: number, ...terms: [number, number][]): ForwardEntry =>
  decodeForward(
    encodeForward(
      length,
      terms.map(([id, count]) => ({ id, count })),
    ),
  );

describe('the terms of a chunk', () => {
  it.each([
    [0, []],
    [7, [[1, 1]]],
    [
      300,
      [
        [1, 2],
        [2, 127],
        [130, 128],
        [2_000_000, 70_000],
      ],
    ],
  ] as [number, [number, number][]][])('are read back as written: length %j', (length, terms) => {
    const back = entry(length, ...terms);
    expect(back.length).toBe(length);
    expect([...back.terms]).toEqual(terms.flat());
  });
});

describe('BM25', () => {
  const entries = [
    entry(10, [1, 1]),
    entry(10, [1, 3]),
    entry(40, [1, 3]),
    entry(10, [2, 1], [3, 1]),
    entry(5),
  ];
  const scores = (...terms: [id: number, weight: number][]) => {
    const weighted = terms.map(([id, weight]) => ({ id, weight }));
    const rounded = (all: Float64Array) => [...all].map((score) => Number(score.toFixed(4)));
    const found = rounded(scoreEntries(entries, weighted, 10));
    expect(rounded(scorePostings(invertEntries(entries, termScore(10)), weighted))).toEqual(found);
    return found;
  };

  it('is the textbook formula', () => {
    expect(scores([1, 2])).toEqual([2, 3.1429, 1.913, 0, 0]);
    expect(scores([2, 1], [3, 1])[3]).toBe(2);
  });

  it('leaves no weights behind for the next question', () => {
    scores([1, 5], [3, 5]);
    expect(scores([2, 1])).toEqual([0, 0, 0, 1, 0]);
    expect(scores([5_000, 1])).toEqual([0, 0, 0, 0, 0]);
  });

  it('gives every word a weight above zero, even in a collection of one', () => {
    for (const [chunks, all] of [
      [1, 1],
      [4, 4],
      [3, 4],
      [0, 1],
    ] as const)
      expect(idfOf(chunks, all)).toBeGreaterThan(0);
    expect(idfOf(1, 4)).toBeGreaterThan(idfOf(3, 4));
  });

  it('weights a repeated word higher, with diminishing returns', () => {
    expect(repetitionWeight(1)).toBe(1);
    expect(repetitionWeight(2)).toBeCloseTo(1.8);
    expect(repetitionWeight(100)).toBeLessThan(9);
  });
});

describe('feedback', () => {
  const best = [
    { entry: entry(10, [5, 2], [6, 2], [9, 1]), score: 9 },
    { entry: entry(10, [5, 1], [6, 3]), score: 8 },
    { entry: entry(10, [7, 4]), score: 1 },
  ];
  const idfs = (ids: readonly number[]) => new Map(ids.map((id) => [id, id === 9 ? 0.1 : 3]));

  it('adds the words that the best passages share, at 0.4 of the weight of the question', () => {
    const added = feedbackTerms(
      [
        { id: 5, weight: 2 },
        { id: 8, weight: 1 },
      ],
      best,
      idfs,
    );
    expect(added.toSorted((a, b) => b.weight - a.weight).map(({ id }) => id)).toEqual([6, 5, 9, 7]);
    expect(added.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(3 * 0.4);
  });
});

describe('fusion', () => {
  it.each([
    ['one order alone keeps it', [{ order: ['a', 'b'], weight: 1 }], ['a', 'b']],
    [
      'results of both searches come first',
      [
        { order: ['a', 'b'], weight: 0.5 },
        { order: ['b', 'c'], weight: 0.5 },
      ],
      ['b', 'a', 'c'],
    ],
    [
      'ties go to the first',
      [
        { order: ['a'], weight: 0.5 },
        { order: ['b'], weight: 0.5 },
      ],
      ['a', 'b'],
    ],
    [
      'weight decides',
      [
        { order: ['a'], weight: 0.2 },
        { order: ['b'], weight: 0.8 },
      ],
      ['b', 'a'],
    ],
    [
      'an order without weight is ignored',
      [
        { order: ['a', 'b'], weight: 1 },
        { order: ['b', 'a'], weight: 0 },
      ],
      ['a', 'b'],
    ],
  ])('%s', (_title, rankings, order) => {
    expect(fuseRankings(rankings).map(({ item }) => item)).toEqual(order);
  });

  it('does not let a low-ranked result overtake the first of the trusted order', () => {
    const trusted = Array.from({ length: 30 }, (_, at) => `${at + 1}.`);
    const fused = fuseRankings([
      { order: trusted, weight: 0.75 },
      { order: ['15.', '2.'], weight: 0.25 },
    ]);
    expect(fused.slice(0, 3).map(({ item }) => item)).toEqual(['2.', '1.', '15.']);
  });
});

describe('grouping', () => {
  const candidates = [
    { chunk: 1, document: 1, score: 5 },
    { chunk: 2, document: 2, score: 4 },
    { chunk: 3, document: 2, score: 3 },
    { chunk: 4, document: 2, score: 1 },
  ];
  it.each([
    ['max', 3, [1, 2], 3],
    ['sum', 3, [2, 1], 3],
    ['mean', 2, [1, 2], 2],
  ] as const)('by %s', (aggregate, passages, order, kept) => {
    const groups = groupCandidates(candidates, { groupBy: 'document', aggregate, passages });
    expect(groups.map(({ key }) => key)).toEqual(order);
    expect(groups.find(({ key }) => key === 2)?.chunks).toHaveLength(kept);
  });
  it('by chunk keeps chunks separate', () => {
    expect(groupCandidates(candidates, { groupBy: 'chunk', aggregate: 'max', passages: 3 })).toHaveLength(4);
  });
});

describe('typing errors', () => {
  it.each([
    ['payment', 'payment', 0],
    ['paymnet', 'payment', 1],
    ['payent', 'payment', 1],
    ['paymentt', 'payment', 1],
    ['poyment', 'payment', 1],
    ['pyamnet', 'payment', 2],
    ['abc', 'xyz', 3],
    ['', 'abc', 3],
  ])('between %s and %s: %d', (a, b, distance) => {
    expect(editDistance(a, b, 2)).toBe(Math.min(distance, 3));
    expect(editDistance(b, a, 2)).toBe(Math.min(distance, 3));
  });
});

describe('a snippet', () => {
  const weights = new Map([
    ['refund', 2],
    ['card', 1],
    ['foobar', 1],
    ['深圳', 1],
  ]);
  it.each([
    ['A refund for a card.', 'A **refund** for a **card**.'],
    ['Refunds and CARDS!', '**Refunds** and **CARDS**!'],
    ['nothing here', 'nothing here'],
    ['**bold** refund', 'bold **refund**'],
    ['a **refund**, and **one card more**', 'a **refund**, and one **card** more'],
    ["card watch('**/*.js') and **/x", "**card** watch('**/*.js') and **/x"],
    ['src/**, lib/** of a card', 'src/**, lib/** of a **card**'],
    ['2 ** 3 ** 4 refund', '2 ** 3 ** 4 **refund**'],
    ['call fooBar() now', 'call **fooBar**() now'],
    ['在深圳工作', '在**深圳**工作'],
    ['card在深圳', '**card**在**深圳**'],
    ['two\n\n  lines', 'two lines'],
    ['', ''],
    ['---\ntitle: Refund\n---\n# Refund\n\nA card.', '# **Refund** A **card**.'],
    ['---\ntitle: Refund\n---\nNothing else.', '--- title: **Refund** --- Nothing else.'],
    ['+++\ntags = []\n+++\nNothing.', 'Nothing.'],
    ['---\ntags: []\n---\n', '--- tags: [] ---'],
  ])('of %j', (body, snippet) => {
    expect(snippetOf(body, weights)).toBe(snippet);
  });

  it('marks the query in text without spaces, not the whole sentence', () => {
    const pairs = new Map([
      ['数据', 1],
      ['据库', 1],
      ['デー', 1],
    ]);
    expect(snippetOf('请检查数据库连接池，データ', pairs)).toBe('请检查**数据库**连接池，**デー**タ');
  });

  it.each([
    ['the code PAY-4021.', 'the code **PAY-4021**.'],
    ['pay_4021/pay.old', '**pay_4021/pay**.old'],
    ['pay. 4021', '**pay**. **4021**'],
    ['pay--4021', '**pay**--**4021**'],
  ])('marks the parts of a word as one: %j', (body, snippet) => {
    const code = new Map([
      ['pai', 1],
      ['4021', 2],
      ['pay4021', 3],
    ]);
    expect(snippetOf(body, code)).toBe(snippet);
  });

  it('marks a phrase as a whole, and its words only where the phrase does not occur', () => {
    const phrases = {
      wholes: [exactPhrase('refund for a card')].filter((one) => one !== null),
      others: new Map([['foobar', 1]]),
    };
    expect(
      snippetOf('Refund: fooBar, a refund\n for a _card_ and a Réfund for  a card.', weights, phrases),
    ).toBe('Refund: **fooBar**, a **refund for a _card**_ and a **Réfund for a card**.');
    expect(snippetOf('A card alone', weights, phrases)).toBe('A **card** alone');
    expect(snippetOf('a **refund** for a card', weights, phrases)).toBe('a **refund for a card**');
  });

  it('shows the part that best matches the question, with ellipses where text was cut', () => {
    const body = `${'card here. '.repeat(60)}The refund of a card is late. ${'Nothing else. '.repeat(60)}`;
    const snippet = snippetOf(body, weights);
    expect(snippet).toMatch(/^… .*\*\*refund\*\* of a \*\*card\*\*.* …$/);
    expect(snippet.length).toBeLessThan(500);
  });
});
