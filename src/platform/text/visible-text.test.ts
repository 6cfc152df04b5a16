import { expect, it } from 'vitest';
import { visibleText } from './visible-text.ts';

it('shows line breaks, escape sequences and bidirectional controls', () => {
  expect(visibleText('a\nb\tc\u001b[2Kd\u202ee\u200bf')).toBe('a\\nb\\tc\\u{1b}[2Kd\\u{202e}e\\u{200b}f');
  expect(visibleText('Größe ✓')).toBe('Größe ✓');
});

it('cuts long text in the middle', () => {
  const shown = visibleText(`start${'x'.repeat(5000)}end`);
  expect(shown).toMatch(/^startx+ … \(4708 characters\) … x+end$/);
});
