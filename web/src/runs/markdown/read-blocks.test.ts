import { expect, it } from 'vitest';
import { type Blocks, NO_BLOCKS, readBlocks } from './read-blocks.ts';

const sample = [
  '# Title',
  '',
  'A paragraph with **bold** and `code`, worth $5 or $6.',
  '',
  '- one',
  '- two',
  '',
  '```ts',
  'const a = 1;',
  '```',
  '',
  '| a | b |',
  '| - | - |',
  '| 1 | 2 |',
  '',
  'Inline $x^2$ and',
  '',
  '$$',
  '\\int_0^1 x\\,dx',
  '$$',
  '',
  'The end.',
].join('\n');

const shape = ({ tokens }: Blocks) => tokens.map(({ type, raw }) => [type, raw]);

it('reads a text that grows to the same blocks as the whole text', () => {
  let blocks = NO_BLOCKS;
  for (let end = 1; end <= sample.length; end += 1) blocks = readBlocks(sample.slice(0, end), blocks);
  expect(shape(blocks)).toEqual(shape(readBlocks(sample, NO_BLOCKS)));
  expect(blocks.tokens.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['heading', 'list', 'code', 'table', 'maths']),
  );
});

it('keeps blocks that can no longer change', () => {
  const before = readBlocks(sample, NO_BLOCKS);
  const after = readBlocks(`${sample} And more.`, before);
  expect(after.tokens[0]).toBe(before.tokens[0]);
});

it('takes prices for text, and formulas for maths', () => {
  const inline = (text: string) =>
    readBlocks(text, NO_BLOCKS).tokens.flatMap((token) => ('tokens' in token ? (token.tokens ?? []) : []));
  expect(inline('It costs $5 to $10.').map(({ type }) => type)).toEqual(['text']);
  expect(inline('Let \\(a+b\\) be.')).toContainEqual(expect.objectContaining({ type: 'maths', tex: 'a+b' }));
});
