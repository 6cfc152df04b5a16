import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sequencesOf, termsOf, wordsOf, writtenForm } from './text-terms.ts';

const cases: [text: string, terms: string[]][] = [
  ['', []],
  ['Payments failing', ['payment', 'fail']],
  ['Größe, café, naïve, Łódź', ['gross', 'cafe', 'naiv', 'lodz']],
  ["the user's don’t", ['the', 'user', 'dont']],
  ["l’utilisateur d'accès qu'ils n'est", ['utilisateur', 'acc', 'il', 'est']],
  [
    "İstanbul'da O'Brien o'clock John's we're",
    ['istanbul', 'o', 'brien', 'obrien', 'oclock', 'john', 'were'],
  ],
  ['Donau\u00addampf\u00adschiff', ['donaudampfschiff']],
  ['مرحبًا مرحبا أهلا شَمس', ['مرحبا', 'مرحبا', 'اهلا', 'شمس']],
  ['שָׁלוֹם', ['שלום']],
  ['नमस्ते', ['नमस्ते']],
  [
    'an HA set-up of DOS, and has been used',
    ['an', 'ha', 'set', 'up', 'setup', 'of', 'dos', 'and', 'has', 'been', 'used'],
  ],
  ['createIndexReader', ['creat', 'index', 'reader', 'createindexread']],
  ['XMLHttpRequest', ['xml', 'http', 'request', 'xmlhttprequest']],
  ['max_retry_count', ['max', 'retri', 'count', 'maxretrycount']],
  ['MAX_RETRY_COUNT', ['max', 'retri', 'count', 'maxretrycount']],
  ['maxRetryCount', ['max', 'retri', 'count', 'maxretrycount']],
  ['time-out', ['time', 'out', 'timeout']],
  ['foo/bar.ts', ['foo', 'bar', 'ts', 'foo/bar.ts', 'bar.ts']],
  ['v1.2.3', ['v1', '2', '3', 'v1.2.3', '1.2.3']],
  ['12.3 1.23', ['12', '3', '12.3', '1', '23', '1.23']],
  ['ORA-00942', ['ora', '00942', 'ora00942']],
  ['TS2345', ['ts', '2345', 'ts2345']],
  ['utf8 i18n', ['utf8', 'i18n']],
  ['C++ and C#', ['c++', 'and', 'c#']],
  ['.NET and ASP.NET', ['net', 'and', 'asp', 'net', 'asp.net']],
  ['ship it 🚀', ['ship', 'it', '🚀']],
  ['✅ done ❤️', ['✅', 'done', '❤']],
  ['issue#12', ['issu', '12']],
  ['user@example.com', ['user', 'exampl', 'com', 'user@example.com']],
  ['深圳', ['深圳', '深', '圳']],
  ['新しい車', ['新し', 'しい', 'い車', '新', 'し', 'い', '車']],
  ['猫', ['猫']],
  ['iOS版', ['i', 'os', 'io', '版']],
  ['ＡＢＣ', ['abc']],
  ['한국어', ['한국', '국어', '한', '국', '어']],
  ['!!! ... ---', []],
  ['-- foo --', ['foo']],
];

describe('terms', () => {
  it.each(cases)('of %j', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it('of a text do not depend on the surrounding text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const alone = termsOf(text);
        expect(termsOf(`ascii ${text} größe`).slice(1, -1)).toEqual(alone);
      }),
    );
  });

  it('of any text fit into the index: no spaces, no quotes, at most 64 letters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        for (const term of termsOf(text)) expect(term).toMatch(/^[^\s"]{1,64}$/u);
      }),
    );
    expect(termsOf('a'.repeat(500))).toEqual(['a'.repeat(64)]);
    expect(termsOf('a-'.repeat(5000)).length).toBeLessThan(30);
  });
});

describe('sequences of terms', () => {
  it.each([
    ['exact phrase', [['exact', 'phrase']]],
    ['use fooBar now', [['use', 'foo', 'bar', 'foobar', 'now']]],
    ['深圳の会議', [['深圳', '圳の', 'の会', '会議']]],
    ['猫', [['猫']]],
    ['in 深圳 today', [['in', '深圳'], ['todai']]],
    ['', []],
  ])('for %j', (text, sequences) => {
    expect(sequencesOf(text)).toEqual(sequences);
  });
});

it('a term is shown as it was written', () => {
  expect(writtenForm('Boundaries', 'boundari')).toBe('boundaries');
  expect(writtenForm('boundary-layer', 'boundari')).toBe('boundary');
  expect(writtenForm('paymentsQueue', 'queue')).toBe('queue');
});

it('a megabyte of text without a break is one word', () => {
  expect(wordsOf('x'.repeat(1_000_000))).toHaveLength(1);
});

it.each([
  'colour color',
  'behaviours behaviors',
  'organise organize',
  'organisation organization',
  'initialised initialized',
  'serialising serializing',
  'optimiser optimizer',
  'criticise criticize',
  'analyse analyze',
  'centre center',
  'kilometres kilometers',
  'catalogue catalog',
  'dialogues dialogs',
  'licence license',
  'defence defense',
  'cancelled canceled',
  'modelling modeling',
  'grey gray',
  'programme program',
  'artefacts artifacts',
  'judgement judgment',
])('finds either spelling: %s', (pair) => {
  const [british, american] = pair.split(' ').map((word) => termsOf(word));
  expect(british).toEqual(american);
});

it.each([
  'precise precision',
  'promise promising',
  'exercise exercised',
  'supervise supervised',
  'revise revised',
])('takes no word for a British one that is not: %s', (pair) => {
  const [one, other] = pair.split(' ').map((word) => termsOf(word));
  expect(one).toEqual(other);
});
