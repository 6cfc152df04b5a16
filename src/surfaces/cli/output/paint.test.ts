import { expect, it } from 'vitest';
import { paintFor, renderStyles, type Style } from './paint.ts';

const STYLES: readonly Style[] = ['bold', 'dim', 'alert', 'warning', 'removed', 'added'];
const shown = (style: Style, env: Record<string, string>) =>
  renderStyles(paintFor({ isTTY: true }, env)(style, 'x'), (text) => text);

it('uses no colour that is illegible on a light or dark background', () => {
  for (const style of STYLES) {
    const [codes = ''] = shown(style, { TERM: 'xterm-256color' }).slice('\u001b['.length).split('m');
    // Faint, yellow, blue and cyan, and their bright variants.
    expect(codes).toMatch(/^(?:1|38;5;244|1;31|1;35|31|32)$/);
  }
});

it('leaves secondary text plain where a terminal has no greys', () => {
  expect(shown('dim', { TERM: 'xterm' })).toBe('x');
  expect(shown('alert', { TERM: 'xterm' })).toBe('\u001b[1;31mx\u001b[22;39m');
  expect(shown('alert', { TERM: 'xterm', NO_COLOR: '1' })).toBe('x');
});
