import { describe, expect, it } from 'vitest';
import { maskArguments, maskText } from './mask-arguments.ts';
import { leastProcessorMs } from '../../../test/processor-time.ts';

describe('the shown arguments of a call', () => {
  it.each([
    ['by key', { password: 'hunter2', nested: { apiKey: 'abc' } }],
    ['by shape', { header: 'Bearer abcdef123456', url: 'https://me:hunter2@example.org/?token=abc' }],
    ['by value', { text: 'the key is s3cr3t-value, and again s3cr3t-value', 's3cr3t-value': 1 }],
    ['in lists', { list: [{ credentials: 'hunter2' }, 's3cr3t-value'] }],
    ['at the edge of what is cut', { text: `${'x'.repeat(295)}s3cr3t-value` }],
  ])('hide secrets %s', (_title, args) => {
    const shown = maskArguments(args, ['s3cr3t-value']);
    expect(shown).toContain('[redacted]'.slice(0, 5));
    expect(shown).not.toMatch(/hunter2|s3cr|abcdef|token=abc|"abc"/);
  });

  it('keep everything else', () => {
    expect(maskArguments({ repo: 'a/b', count: 3, on: true, none: null }, [])).toBe(
      '{"repo":"a/b","count":3,"on":true,"none":null}',
    );
  });

  it('are bounded for any size of call', () => {
    const large = { text: 'x'.repeat(5_000_000), list: Array.from({ length: 100_000 }, (_, n) => ({ n })) };
    const shown = maskArguments(large, ['s3cr3t-value']);
    expect(shown.length).toBeLessThanOrEqual(2_001);
    expect(shown).toContain('…');
    expect(leastProcessorMs(() => void maskArguments(large, ['s3cr3t-value']))).toBeLessThan(200);
    expect(maskText('x'.repeat(5_000_000), []).length).toBeLessThanOrEqual(50_000);
  });

  it('survive circular references', () => {
    const round: Record<string, unknown> = {};
    round['round'] = round;
    expect(maskArguments(round, [])).toContain('…');
  });
});
