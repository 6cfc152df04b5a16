import { describe, expect, it } from 'vitest';
import { editDistance } from './edit-distance.ts';
import { holdOut, surely, trustWeight } from './encoder-trust.ts';
import { exactPhrase } from './exact-phrase.ts';
import { expansionOf, rescore } from './feedback.ts';
import { decodeForward, encodeForward, type ForwardEntry } from '../index/forward-index.ts';
import { fuseRankings } from './fusion.ts';
import { groupCandidates } from './group-candidates.ts';
import { informationOf, type PlannedTerm } from './query-plan.ts';
import { combinedRelevance, coverage, matchedTerms } from './relevance.ts';
import { snippetOf } from './snippet.ts';

const entry = (length: number, ...terms: [number, number][]): ForwardEntry =>
  decodeForward(
    encodeForward(
      length,
      terms.map(([id, count]) => ({ id, count })),
    ),
  );

describe('what a chunk holds', () => {
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
  ] as [number, [number, number][]][])('comes back as it was written: %j terms', (length, terms) => {
    const back = entry(length, ...terms);
    expect(back.length).toBe(length);
    expect([...back.terms]).toEqual(terms.flat());
  });
});

describe('feedback', () => {
  const totals = { chunks: 100, averageLength: 10 };
  const entries = new Map([
    [1, entry(10, [5, 2], [6, 2], [9, 1])],
    [2, entry(10, [5, 1], [6, 3])],
    [3, entry(10, [7, 4])],
    [4, entry(10, [6, 4])],
  ]);
  const chunksWith = (term: number) => (term === 9 ? 90 : 5);

  it('adds what the best have in common, and not what everybody has', () => {
    const best = [
      { chunk: 1, score: 9 },
      { chunk: 2, score: 8 },
      { chunk: 3, score: 1 },
    ];
    const terms = expansionOf(best, (chunk) => entries.get(chunk), chunksWith, totals);
    expect(terms.map(({ id }) => id)).toEqual([6, 5, 7]);
    expect(terms.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1);
    expect(terms[2]?.weight).toBeLessThan(0.05);
  });

  it('lifts a passage that says the same in other words', () => {
    const candidates = [
      { chunk: 1, score: 9 },
      { chunk: 3, score: 2.1 },
      { chunk: 4, score: 2 },
    ];
    const order = rescore(
      candidates,
      3,
      [{ id: 6, weight: 1 }],
      (chunk) => entries.get(chunk),
      chunksWith,
      totals,
    );
    expect(order.map(({ chunk }) => chunk)).toEqual([1, 4, 3]);
  });

  it('of nothing is nothing', () => {
    expect(expansionOf([], () => undefined, chunksWith, totals)).toEqual([]);
    expect(rescore([{ chunk: 1, score: 2 }], 0, [], () => undefined, chunksWith, totals)).toEqual([
      { chunk: 1, score: 1.2 },
    ]);
  });
});

describe('relevance', () => {
  const term = (id: number | null, chunks: number, certainty = 1): PlannedTerm => ({
    term: String(id),
    id,
    chunks,
    idf: informationOf(chunks, 1_000),
    certainty,
  });

  it('is the share of what the question says', () => {
    const [rare, frequent, unknown] = [term(1, 2), term(2, 600), term(null, 0)];
    expect(coverage([rare, frequent], [rare, frequent])).toBe(1);
    expect(coverage([rare, frequent], [rare])).toBeGreaterThan(0.9);
    expect(coverage([rare, frequent], [frequent])).toBeLessThan(0.1);
    expect(coverage([frequent, unknown, unknown], [frequent])).toBeLessThan(0.05);
    expect(coverage([term(1, 2, 0.8)], [term(1, 2, 0.8)])).toBeCloseTo(0.8);
    expect(coverage([], [])).toBe(1);
  });

  it('does not ask a long question to be covered word by word', () => {
    const long = Array.from({ length: 20 }, (_, n) => term(n, 30));
    expect(coverage(long, long.slice(0, 5))).toBe(1);
    expect(coverage(long, long.slice(0, 1))).toBeCloseTo(0.2);
  });

  it('finds terms by their numbers', () => {
    const found = matchedTerms([term(5, 1), term(6, 1), term(null, 0)], entry(3, [2, 1], [5, 1], [9, 1]));
    expect(found.map(({ id }) => id)).toEqual([5]);
  });

  it('counts meaning as far as its encoder is trusted', () => {
    expect(combinedRelevance(0.5, 0, 0.5)).toBe(0.5);
    expect(combinedRelevance(0, 1, 0.5)).toBe(0.5);
    expect(combinedRelevance(0.5, 1, 0.5)).toBe(0.75);
    expect(combinedRelevance(1, 1, 0)).toBe(1);
  });
});

describe('fusion', () => {
  it.each([
    ['one order alone keeps it', [{ order: ['a', 'b'], weight: 1 }], ['a', 'b']],
    [
      'what both have comes first',
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
      'no weight, no say',
      [
        { order: ['a', 'b'], weight: 1 },
        { order: ['b', 'a'], weight: 0 },
      ],
      ['a', 'b'],
    ],
  ])('%s', (_title, rankings, order) => {
    expect(fuseRankings(rankings).map(({ item }) => item)).toEqual(order);
  });

  it('lets nothing overtake the first of the trusted order that is far down in it', () => {
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
  it('by chunk leaves each alone', () => {
    expect(groupCandidates(candidates, { groupBy: 'chunk', aggregate: 'max', passages: 3 })).toHaveLength(4);
  });
});

describe('trust in an encoder', () => {
  it.each([
    [1, 1, 0.5],
    [1, 0.5, 0.0588],
    [1, 0.8, 0.2906],
    [1, 0, 0],
    [0.1, 1, 0.75],
    [0, 0, 0],
  ])('when words are right %d of the time and meaning %d, is %d', (words, meaning, weight) => {
    expect(trustWeight(words, meaning)).toBeCloseTo(weight);
  });

  it('takes no more from a few trials than they show', () => {
    expect(surely(0.5, 100)).toBeCloseTo(0.45);
    expect(surely(0.5, 16)).toBeCloseTo(0.375);
    expect(surely(0.01, 8)).toBe(0);
    expect(surely(1, 8)).toBe(1);
  });

  it('is learned from a sentence that is taken out of a text', () => {
    const text =
      'First things first here. The rollback of a release takes one minute. Then all is well again.';
    expect(holdOut(text)).toEqual({
      sentence: 'The rollback of a release takes one minute.',
      rest: 'First things first here.   Then all is well again.',
    });
    expect(holdOut('Too short.')).toBeNull();
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

  it('marks what was asked for in text without spaces, and not the sentence', () => {
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

  it('marks a phrase as a whole, and its words alone only where it is not', () => {
    const phrases = {
      wholes: [exactPhrase('refund for a card')].filter((one) => one !== null),
      others: new Map([['foobar', 1]]),
    };
    expect(
      snippetOf('Refund: fooBar, a refund\n for a _card_ and a Réfund for  a card.', weights, phrases),
    ).toBe('Refund: **fooBar**, a **refund for a _card**_ and a **Réfund for a card**.');
    expect(snippetOf('A card alone', weights, phrases)).toBe('A **card** alone');
  });

  it('is the part with most of the question, and says that there is more', () => {
    const body = `${'card here. '.repeat(60)}The refund of a card is late. ${'Nothing else. '.repeat(60)}`;
    const snippet = snippetOf(body, weights);
    expect(snippet).toMatch(/^… .*\*\*refund\*\* of a \*\*card\*\*.* …$/);
    expect(snippet.length).toBeLessThan(500);
  });
});
