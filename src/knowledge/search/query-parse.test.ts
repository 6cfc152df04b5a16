import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DatabaseSync } from '@photostructure/sqlite';
import { narrowingOf } from './exact-phrase.ts';
import { matchExpression } from './match-expression.ts';
import { parseQuery } from './query-parse.ts';

const cases: [query: string, terms: string[], required: string[][], excluded: string[][]][] = [
  ['how does a refund work?', ['refund', 'work'], [], []],
  ['payments AND', ['payment'], [], []],
  ['AND payments', ['payment'], [], []],
  ['payments AND refunds', ['payment', 'refund'], [['payment'], ['refund']], []],
  ['payments && refunds OR cards', ['payment', 'refund', 'card'], [['payment'], ['refund']], []],
  ['how does DOS use HA?', ['dos', 'ha'], [], []],
  ['payments OR', ['payment'], [], []],
  ['and or not', [], [['and', 'or', 'not']], []],
  ['"never closed', ['never', 'close'], [], []],
  ['-"never closed', ['close'], [], [['never']]],
  ['a 5" screen', ['5', 'screen'], [], []],
  ['+must other', ['must', 'other'].slice(0, 0), [['must']], []],
  ['+payments other refunds', ['payment', 'refund'], [['payment']], []],
  ['cards -draft', ['card'], [], [['draft']]],
  ['cards NOT draft', ['card'], [], [['draft']]],
  ['cards NOT', ['card'], [], []],
  ['-draft', ['draft'], [], []],
  ['git commit -m', ['git', 'commit', 'm'], [], []],
  ['zoo sync --dry-run', ['zoo', 'sync', 'dry', 'run', 'dryrun'], [], []],
  ['between -5 and 5', ['5'], [], []],
  ['well-known', ['well', 'known', 'wellknown'], [], []],
  ['to be or not to be', [], [['to', 'be', 'or', 'not', 'to', 'be']], []],
  ['title:foo AND (bar)', ['titl', 'foo', 'title:foo', 'bar'], [['titl', 'foo', 'title:foo'], ['bar']], []],
  ['深圳', ['深圳'], [], []],
  ['-深圳 猫', ['猫'], [], [['深圳']]],
  ['', [], [], []],
  ['"" - + () * ^ :', [], [], []],
  ['refund Refund REFUND', ['refund'], [], []],
];

describe('a question', () => {
  it.each(cases)('%j', (query, terms, required, excluded) => {
    const parsed = parseQuery(query);
    expect(parsed.words.flatMap((word) => word.terms)).toEqual(terms);
    expect(parsed.required).toEqual(required);
    expect(parsed.excluded).toEqual(excluded);
  });

  const quoted: [query: string, terms: string[], required: string[], excluded: string[]][] = [
    ['"exact phrase" more', ['exact', 'phrase'], ['exact phrase'], []],
    ['“curly quotes”', ['curli', 'quot'], ['curly quotes'], []],
    ['cards -"old draft"', ['card'], [], ['old draft']],
    ['cards NOT "old draft"', ['card'], [], ['old draft']],
    ['cards AND "new draft"', ['card', 'new', 'draft'], ['new draft'], []],
    ['-"old draft"', ['old', 'draft'], ['old draft'], []],
    ['"to be or not to be"', [], ['to be or not to be'], []],
    ['"" "()" cards', ['card'], [], []],
  ];
  it.each(quoted)('%j means what is quoted as it is written', (query, terms, required, excluded) => {
    const parsed = parseQuery(query);
    expect(parsed.words.flatMap((word) => word.terms)).toEqual(terms);
    expect(parsed.phrases).toEqual({ required, excluded });
  });

  it('keeps for its meaning what is not an operator or left out', () => {
    expect(parseQuery('why "late fee" AND -draft refunds').plain).toBe('why late fee refunds');
  });

  it('of any length is read at once', () => {
    const startedAt = performance.now();
    expect(parseQuery('word-with-parts '.repeat(50_000)).words).toHaveLength(1);
    expect(parseQuery('"'.repeat(10_000)).words).toEqual([]);
    expect(parseQuery('深圳'.repeat(5_000)).words.flatMap(({ terms }) => terms).length).toBeLessThan(5);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

it('asks for no more than so many things at once, and for each of them once', () => {
  const many = (sign: string) => Array.from({ length: 500 }, (_, n) => `${sign}word${n} `).join('');
  expect(parseQuery('+card "a b" -draft -"c d" '.repeat(500))).toMatchObject({
    required: [['card']],
    excluded: [['draft']],
    phrases: { required: ['a b'], excluded: ['c d'] },
  });
  const { words, required, excluded } = parseQuery(many('+') + many('-'));
  expect([words.length, required.length, excluded.length]).toEqual([200, 32, 32]);
  const { phrases } = parseQuery(many('').replaceAll(/(\S+)/g, '"$1"'));
  expect(phrases.required).toHaveLength(32);
  expect(narrowingOf('深'.repeat(9_000)).join('').length).toBeLessThan(200);
  expect(parseQuery('a/b.c-d '.repeat(5) + 'x.y/z'.repeat(2_000)).words.length).toBeLessThan(3);
});

it('nothing that can be typed is a syntax error to FTS5', () => {
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE VIRTUAL TABLE passage USING fts5 (a, b, tokenize = "ascii tokenchars '.:/@+#_-'")`);
  const statement = database.prepare('SELECT rowid FROM passage WHERE passage MATCH ?');
  const words = fc.constantFrom(
    'AND',
    'OR',
    'NOT',
    'NEAR(',
    '"',
    '-',
    '+',
    '*',
    '^',
    ':',
    '(',
    ')',
    '{a}',
    'a:',
    '\0',
    "'",
    'foo',
    '-bar',
    '"a b"',
    '深圳',
  );
  const typed = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.array(words, { maxLength: 12 }).map((parts) => parts.join(' ')),
    fc.array(words, { maxLength: 12 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(typed, (query) => {
      const { words: read, required, excluded, phrases } = parseQuery(query);
      const narrowing = [...phrases.required, ...phrases.excluded].flatMap(narrowingOf);
      const match = matchExpression({
        terms: read.flatMap(({ terms }) => terms),
        required,
        narrowing,
        excluded,
      });
      expect(match === null ? [] : statement.all(match)).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});
