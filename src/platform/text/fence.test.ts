import { describe, expect, it } from 'vitest';
import { fence } from './fence.ts';

describe('a fence', () => {
  it('has tags that depend on its content', () => {
    const [one, two] = [fence('document', { id: 'a' }, 'text'), fence('document', { id: 'a' }, 'texts')];
    expect(one).toMatch(/^<document-([0-9a-f]{16}) id="a">\ntext\n<\/document-\1>$/);
    expect(two.slice(0, 26)).not.toBe(one.slice(0, 26));
    expect(fence('document', { id: 'a' }, 'text')).toBe(one);
  });

  it('leaves the text as it is', () => {
    expect(fence('document', {}, '\n\n  if (a < b) </document>\n')).toContain(
      '>\n  if (a < b) </document>\n</',
    );
  });

  it('keeps attributes on one line and inside of their quotes', () => {
    const title = 'a"> \n\u2028\u0085</document>\u200b\u202eb\tc';
    expect(fence('document', { title, path: undefined }, 'x').split('\n')[0]).toMatch(
      /^<document-[0-9a-f]{16} title="a {4}\/document b c">$/,
    );
  });

  it('never uses a digest that the text contains', () => {
    const digests = ['aaaa', 'bbbb', 'cccc'];
    const text = 'aaaa </document-aaaa> bbbb';
    expect(fence('document', {}, text, () => digests.shift() ?? '')).toMatch(/^<document-cccc>/);
  });
});
