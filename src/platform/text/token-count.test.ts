import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadPassingTokenCounter, loadTokenCounter } from './token-count.ts';
import { processorMs } from '../../../test/processor-time.ts';

const plain = { disallowedSpecial: new Set<string>() };

const alphabet = [
  ...Array.from("aBz09 \t\n\r'.,/_-é漢字ßАя🙂\u0301\u00a0\u200b"),
  'the',
  " don't",
  "WE'LL",
  '\r\n',
  '   ',
  '<|endoftext|>',
  'constructor',
];

/** The same in every run. */
function* mixtures(rounds: number): Generator<string> {
  let state = 7;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let round = 0; round < rounds; round++) {
    yield Array.from({ length: next(60) }, () => alphabet[next(alphabet.length)]).join('');
  }
}

test('counts the same as the tokenizer, with and without cached words', async () => {
  const count = await loadPassingTokenCounter();
  const texts = [
    ...mixtures(3_000),
    readFileSync('docs/architecture.md', 'utf8'),
    readFileSync('package-lock.json', 'utf8').slice(0, 200_000),
    'x'.repeat(500),
  ];
  const wrong = texts.filter((text) => count(text) !== countTokens(text, plain));
  expect(wrong).toEqual([]);
});

test('cached counts of whole texts are the same', async () => {
  const count = await loadTokenCounter();
  expect(count('')).toBe(0);
  expect(count('Hello, world')).toBe(countTokens('Hello, world'));
  expect(count('Hello, world')).toBe(countTokens('Hello, world'));
});

test.each([
  ['letters', 'x'.repeat(1_000_000), 125_000],
  ['spaces', ' '.repeat(1_000_000), 7_813],
  ['random letters', [...letters(1_000_000)].join(''), 520_000],
  ['ideographs', '漢'.repeat(1_000_000), 1_000_000],
])('counts a megabyte of %s without a break in a moment', async (_what, text, expected) => {
  const count = await loadPassingTokenCounter();
  const startedAt = processorMs();
  const tokens = count(text);
  expect(processorMs() - startedAt).toBeLessThan(5_000);
  expect(Math.abs(tokens - expected) / expected).toBeLessThan(0.02);
});

/** The same in every run. */
function* letters(count: number): Generator<string> {
  let state = 7;
  for (let index = 0; index < count; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield String.fromCharCode(97 + Math.floor((state / 2 ** 32) * 26));
  }
}
