import { expect, it } from 'vitest';
import { sourceTree } from './source-tree.ts';

/** Where a pattern may be made at run time, and from what. Text of others goes through platform/text/outside-pattern.ts. */
const MAY_BUILD: Readonly<Record<string, string>> = {
  'src/knowledge/search/snippet.ts': 'stems of letters and digits, side by side, without repetition inside',
  'src/knowledge/search/text-terms.ts': 'character classes of its own',
};

const tree = sourceTree((path) => /^src\/.*(?<!\.test)\.ts$/.test(path));

it('nothing but the linear engine builds a pattern from text', () => {
  const places = Object.entries(tree).flatMap(([path, text]) =>
    text.split('\n').flatMap((line, index) => {
      const builds = /\bnew RegExp\(|(?<![\w.])RegExp\(|\bpicomatch\b|\bmicromatch\b|\bminimatch\b/.test(
        line,
      );
      const isComment = /^\s*(?:\/\/|\*|\/\*)/.test(line);
      return builds && !isComment && !MAY_BUILD[path] ? [`${path}:${index + 1}: ${line.trim()}`] : [];
    }),
  );
  // Use platform/text/outside-pattern.ts, or say in MAY_BUILD why the text is our own.
  expect(places).toEqual([]);
});
