import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { HubText } from './hub-text.tsx';
import { formatMoment } from './numbers.ts';

const render = (text: string): string =>
  renderToStaticMarkup(createElement(HubText, null, text)).replaceAll(/<code[^>]*>/g, '<code>');

test.each([
  ['Review it with `zoo trust`.', 'Review it with <code>zoo trust</code>.'],
  ['Known here: `a`, `b`.', 'Known here: <code>a</code>, <code>b</code>.'],
  ['a lone ` in a log\nand another ` later', 'a lone ` in a log\nand another ` later'],
  ['`<img src=x>`', '<code>&lt;img src=x&gt;</code>'],
])('sets code as code: %s', (text, markup) => {
  expect(render(text)).toBe(markup);
});

test('shows times in the locale of the user, but not inside of code', () => {
  const time = '2026-11-16T14:48:38.174Z';
  expect(render(`from ${time}.`)).toBe(`from ${formatMoment(time)}.`);
  expect(render(`\`${time}\``)).toBe(`<code>${time}</code>`);
});
