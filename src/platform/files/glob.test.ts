import { array, assert, boolean, constantFrom, property } from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { compileGlob } from './glob.ts';
import { processorMs } from '../../../test/processor-time.ts';

describe('a glob', () => {
  it.each([
    ['*.md', ['a.md'], ['a/b.md', '.a.md', '.md', 'a.mdx', 'amd']],
    ['**/*.md', ['a.md', 'a/b.md', 'a/b/c.md'], ['.git/a.md', 'a/.b.md', 'a.txt']],
    ['docs/**', ['docs', 'docs/a', 'docs/a/b.md'], ['doc', 'docs2/a', 'docs/.a']],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['a/.x/b', 'ab', 'a/x/c']],
    ['**', ['a', 'a/b'], ['.a', 'a/.b']],
    ['{src,docs}/**/*.{ts,md}', ['src/a.ts', 'docs/x/y.md'], ['src/a.js', 'lib/a.ts']],
    ['a{,b}c', ['ac', 'abc'], ['abbc']],
    ['{a}', ['{a}'], ['a']],
    ['v{1..3}.md', ['v1.md', 'v3.md'], ['v4.md', 'v.md']],
    ['[a-c]?.[!t]*', ['ab.md', 'cc.x'], ['dd.md', 'ab.ts', 'a/.md']],
    ['[a', ['[a'], ['a']],
    ['\\*.md', ['*.md'], ['a.md']],
    ['app/(shop)/page.tsx', ['app/(shop)/page.tsx'], ['app/shop/page.tsx']],
    ['+(a|b).md', ['a.md', 'abba.md'], ['.md', 'ac.md']],
    ['?(a)b', ['b', 'ab'], ['aab']],
    ['@(a|b)', ['a', 'b'], ['ab']],
    ['*.!(md)', ['a.txt'], ['a.md']],
    ['!(a|b)', ['c', 'ab'], ['a', 'b']],
    ['!*.md', ['a.txt', 'x/a.md'], ['a.md']],
    ['./a/*', ['a/b'], ['./a/b']],
    ['?', ['😀', 'x'], ['xy', '/']],
    ['.github/**', ['.github/a'], ['.github/.b']],
  ])('%s', (glob, yes, no) => {
    const isMatch = compileGlob(glob);
    expect(yes.filter((path) => !isMatch(path))).toEqual([]);
    expect(no.filter((path) => isMatch(path))).toEqual([]);
  });

  it('matches hidden names if configured', () => {
    const isMatch = compileGlob('**/*.md', { dot: true });
    expect(['.a.md', '.git/a.md', '.md'].every((path) => isMatch(path))).toBe(true);
  });

  it('of a .gitignore has no groups, and matches what is in a folder but not the folder', () => {
    const gitignore = { dot: true, syntax: 'gitignore' } as const;
    expect(compileGlob('a/**', gitignore)('a')).toBe(false);
    expect(compileGlob('a/**', gitignore)('a/.b/c')).toBe(true);
    expect(compileGlob('{a,b}', gitignore)('{a,b}')).toBe(true);
    expect(compileGlob('+(a)', gitignore)('+(a)')).toBe(true);
  });

  it('agrees with picomatch', () => {
    const part = constantFrom('a', 'b', '.', '*', '**', '?', '/', '[ab]', '{a,b}', 'ab', '/**/');
    const glob = array(part, { minLength: 1, maxLength: 6 })
      .map((parts) =>
        parts
          .join('')
          .replace(/\*{3,}/g, '**')
          .replace(/\/{2,}/g, '/')
          .replace(/^\/|\/$/g, ''),
      )
      // Where they differ on purpose, or picomatch contradicts itself: `**` that is not a whole name, and dots in
      // `.*`.
      .filter(
        (text) =>
          text !== '' && !/[^/]\*\*|\*\*[^/]|\*\/\*\*|(?:^|\/)\.\.?(?:\/|$)|\.[*?[{]|[*?\]}]\./.test(text),
      );
    const path = array(constantFrom('a', 'b', 'ab', '.a', 'a.b'), { minLength: 1, maxLength: 4 }).map(
      (names) => names.join('/'),
    );
    assert(
      property(glob, path, boolean(), (pattern, name, dot) => {
        expect([pattern, name, compileGlob(pattern, { dot })(name)]).toEqual([
          pattern,
          name,
          picomatch(pattern, { dot })(name),
        ]);
      }),
      { numRuns: 3_000 },
    );
  });
});

it.each([
  ['[a](a+)+z', 'a'.repeat(5_000)],
  ['+(*)+(*)+(*)z', 'a'.repeat(500)],
  ['*a*a*a*a*a*a*a*a*ab', 'a'.repeat(2_000)],
  ['**/a/**/a/**/a/**/a/**/a/b', 'a/'.repeat(1_000)],
  ['+(+(a|b)|+(a|b))z', 'ab'.repeat(200)],
  ['{'.repeat(1_000), 'a'],
  ['['.repeat(1_000), 'a'],
])('%s is fast', (glob, path) => {
  const startedAt = processorMs();
  expect(compileGlob(glob)(path)).toBe(false);
  expect(processorMs() - startedAt).toBeLessThan(10_000);
});

it.each([
  ['+('.repeat(3) + 'a' + ')'.repeat(3), 'nests groups too deeply'],
  ['a'.repeat(2_000), 'too long'],
])('%s is refused', (glob, reason) => {
  expect(() => compileGlob(glob)).toThrow(reason);
});
