import { expect, test } from 'vitest';
import { terminalJson, terminalLine, terminalText } from './terminal-text.ts';

test.each([
  ['an escape sequence', '\u001b[2J\u001b]0;title\u0007', '␛[2J␛]0;title␇'],
  ['a C1 control', 'a\u009b31mb', 'a<U+009B>31mb'],
  ['a bidi override', 'user\u202e nimda', 'user<U+202E> nimda'],
  ['bidi isolates and marks', '\u2066a\u2069\u200f\u061c', '<U+2066>a<U+2069><U+200F><U+061C>'],
  ['a carriage return that would overwrite the line', 'good\rbad', 'good␍bad'],
  ['backspaces and DEL', 'a\b\u007f', 'a␈␡'],
  ['zero-width space, soft hyphen and BOM', 'a\u200bb\u00adc\ufeff', 'a<U+200B>b<U+00AD>c<U+FEFF>'],
  ['tag characters', 'x\u{e0041}', 'x<U+E0041>'],
  ['line and paragraph separators', 'a\u2028b\u2029', 'a<U+2028>b<U+2029>'],
  ['blank letters', 'a\u3164b', 'a<U+3164>b'],
])('makes %s visible', (_what, text, shown) => {
  expect(terminalText(text)).toBe(shown);
});

test('leaves ordinary text alone', () => {
  const text = 'a\tb\nÄ 日本語 👩‍👩‍👧 ⚠️ می‌خواهم עברית';
  expect(terminalText(text)).toBe(text);
  expect(terminalText('a\r\nb')).toBe('a\nb');
});

test('keeps a text on one line if requested', () => {
  expect(terminalLine('safe\n\n\n  rm -rf /\t.')).toBe('safe ⏎ rm -rf / .');
});

test('escapes hidden characters in JSON without changing the data', () => {
  const data = { a: '\u202e\u0085\u007f\u{e0041}\u001b', b: '👩‍👩‍👧' };
  const json = terminalJson(JSON.stringify(data));
  expect(json).not.toMatch(/[\u007f-\u009f\u202e]/);
  expect(JSON.parse(json)).toEqual(data);
});
