import { expect, it } from 'vitest';
import { createSecretMask } from './secret-mask.ts';

it('masks a secret in plain text, in a URL, in JSON and in a header', () => {
  const mask = createSecretMask(['p&ss "word"']);
  const basic = Buffer.from('p&ss "word"').toString('base64');
  expect(mask.text('a p&ss "word" b')).toBe('a [redacted] b');
  expect(mask.text(`https://x/?p=${encodeURIComponent('p&ss "word"')}`)).toBe('https://x/?p=[redacted]');
  expect(mask.text(JSON.stringify({ a: 'p&ss "word"' }))).toBe('{"a":"[redacted]"}');
  expect(mask.text(`Basic ${basic}`)).toBe('Basic [redacted]');
});

it('masks a secret that contains another as a whole, and accepts new secrets', () => {
  const mask = createSecretMask(['abcd']);
  mask.learn(['abcdefgh']);
  expect(mask.text('abcdefgh abcd')).toBe('[redacted] [redacted]');
});

it('copies only values that contain a secret', () => {
  const mask = createSecretMask(['hunter22']);
  const clean = { a: [1, 'x', null] };
  const date = new Date(0);
  expect(mask.value(clean)).toBe(clean);
  const value = { clean, deep: [{ text: 'is hunter22' }], date };
  const masked = mask.value(value);
  expect(masked).toEqual({ clean, deep: [{ text: 'is [redacted]' }], date });
  expect(masked.clean).toBe(clean);
  expect(value.deep[0]?.text).toBe('is hunter22');
});
