import { describe, expect, it } from 'vitest';
import { exactPhrase, foldPlaced, placesOfPhrase, TEXT_BREAK } from './exact-phrase.ts';
import { processorMs } from '../../../test/processor-time.ts';

function found(phrase: string, text: string): string[] {
  const wanted = exactPhrase(phrase);
  if (!wanted) return [];
  return placesOfPhrase(foldPlaced(text), wanted).map(({ start, end }) => text.slice(start, end));
}

describe('a phrase', () => {
  it.each([
    ['feature flag', 'a Feature Flag here', ['Feature Flag']],
    ['feature flag', 'Feature Flags, featured flag, flag feature', []],
    ['feature flag', 'a feature\n> `flag`.', ['feature\n> `flag']],
    ['feature flag', 'the feature-flag service', ['feature-flag']],
    ['feature flag', `feature${TEXT_BREAK}flag`, []],
    ['feature-flag', 'a feature flag', []],
    ['Hello, world!', 'say hello world twice: Hello, World', ['hello world', 'Hello, World']],
    ['payments', 'payments, payment, Payments', ['payments', 'Payments']],
    ['--force', 'use the force: git push --force', ['--force']],
    ['C++', 'C and C++ code', ['C++']],
    ['foo.bar(', 'foo.bar foo.bar(1)', ['foo.bar(']],
    ['$HOME/a', 'in $HOME/a and HOME/a', ['$HOME/a']],
    ['café au lait', 'Cafe au lait', ['Cafe au lait']],
    ['grosse katze', 'eine Große Katze', ['Große Katze']],
    ["don't panic", 'Don’t panic', ['Don’t panic']],
    ['深圳の工場', '昨日深圳の工場で', ['深圳の工場']],
    ['深圳 の工場', '昨日深圳の工場で', ['深圳の工場']],
    ['e', 'e be', ['e']],
    ['()', 'a()', []],
    ['a b', 'ab a-b a b', ['a-b', 'a b']],
    ['a $b', 'a b, a $b', ['a $b']],
    ['𝒜bc', 'x 𝒜bc', ['𝒜bc']],
    ['ab', '𝔸ab', []],
  ])('%j in %j', (phrase, text, places) => {
    expect(found(phrase, text)).toEqual(places);
  });

  it('of any length is searched immediately', () => {
    const startedAt = processorMs();
    expect(found('a '.repeat(5_000), 'a, b. '.repeat(20_000))).toEqual([]);
    expect(found('a '.repeat(100), `${'a '.repeat(99)}b `.repeat(200))).toEqual([]);
    expect(processorMs() - startedAt).toBeLessThan(5_000);
  });
});
