import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DatabaseSync } from '@photostructure/sqlite';
import { narrowingOf, quotedTerms } from './exact-phrase.ts';
import { parseQuery } from './query-parse.ts';
import { processorMs } from '../../../test/processor-time.ts';

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

describe('a query', () => {
  it.each([
    ['roll back', ['rollback']],
    ['roll back, Roll back', ['rollback', 'backrol']],
    ['to log in', ['login']],
    ['is land', []],
    ['in to', []],
    ['v2 api', []],
    ['one two three four five six seven data base', []],
  ])('joins neighbouring words: %j', (query, joined) =>
    expect(parseQuery(query).joined.map(({ term }) => term)).toEqual(joined),
  );

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
  it.each(quoted)('%j searches for the quoted text literally', (query, terms, required, excluded) => {
    const parsed = parseQuery(query);
    expect(parsed.words.flatMap((word) => word.terms)).toEqual(terms);
    expect(parsed.phrases).toEqual({ required, excluded });
  });

  it('keeps the words that are neither operators nor excluded for semantic search', () => {
    expect(parseQuery('why "late fee" AND -draft refunds').plain).toBe('why late fee refunds');
  });

  it('of any length is parsed immediately', () => {
    const startedAt = processorMs();
    expect(parseQuery('word-with-parts '.repeat(50_000)).words).toHaveLength(1);
    expect(parseQuery('"'.repeat(10_000)).words).toEqual([]);
    expect(parseQuery('深圳'.repeat(5_000)).words.flatMap(({ terms }) => terms).length).toBeLessThan(5);
    expect(processorMs() - startedAt).toBeLessThan(5_000);
  });
});

it('treats longer text, code and sentences as prose', () => {
  for (const text of [
    'I use "new draft" -cards in a sentence that goes on and on for longer than a query would, AND more',
    'Why does "new draft" fail?',
    'code "new draft" in one, two',
    '{"a": "new draft"}',
    '"new draft"\n-cards',
    'NEW DRAFT AND CARDS',
    'we have seen that the "new draft" is gone',
  ]) {
    const { required, excluded, phrases, words } = parseQuery(text);
    expect({ required, excluded, phrases }).toEqual({
      required: [],
      excluded: [],
      phrases: { required: [], excluded: [] },
    });
    expect(words.length).toBeGreaterThan(0);
  }
});

it('counts how often a question repeats a word', () => {
  expect(parseQuery('cache, cache and cache of disks').words.map(({ text, times }) => [text, times])).toEqual(
    [
      ['cache', 3],
      ['disks', 1],
    ],
  );
});

it('ignores line and column numbers of stack traces', () => {
  const trace = `TypeError: Cannot read properties of undefined (reading 'watch')
    at FSWatcher.add (/app/node_modules/chokidar/index.js:451:23)
    at main (src/main.ts:12)
  File "loader.py", line 88, in load
  Program.cs(17,9): error CS1002`;
  const terms = parseQuery(trace).words.flatMap((word) => word.terms);
  expect(terms).toEqual(
    expect.arrayContaining(['watch', 'chokidar', 'index.js', 'main.ts', 'loader.py', 'cs1002']),
  );
  expect(terms.filter((term) => /^\d+$/.test(term))).toEqual(['1002']);
  expect(parseQuery('error 404 on port 8080').words.map(({ text }) => text)).toEqual([
    'error',
    '404',
    'port',
    '8080',
  ]);
});

it('limits the number of terms and operators', () => {
  expect(parseQuery('a/b.c-d '.repeat(5) + 'x.y/z'.repeat(2_000)).words.length).toBeLessThan(3);
  expect(narrowingOf('深'.repeat(9_000)).join('').length).toBeLessThan(200);
});

it('no query causes an FTS5 syntax error', () => {
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
      const matches = [
        ...read.flatMap(({ terms }) => terms.map((term) => quotedTerms([term]))),
        ...required.map(quotedTerms),
        ...excluded.map(quotedTerms),
        ...[...phrases.required, ...phrases.excluded].flatMap(narrowingOf),
      ];
      return [' OR ', ' AND '].every(
        (join) => matches.length === 0 || statement.all(matches.join(join)).length === 0,
      );
    }),
    { numRuns: 2_000 },
  );
  expect(statement.all('"a"')).toEqual([]);
});
