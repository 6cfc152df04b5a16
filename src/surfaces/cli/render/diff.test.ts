import { expect, test } from 'vitest';
import { plain } from '../output/paint.ts';
import { renderChanges } from './diff.ts';

test('short values are shown side by side, long texts line by line', () => {
  const text = renderChanges(
    [
      { path: 'tools', before: ['search'], after: null },
      { path: 'systemPrompt', before: 'one\ntwo\nthree', after: 'one\n2\nthree' },
    ],
    plain,
  );
  expect(text).toBe(
    'tools: ["search"] -> (none)\n--- systemPrompt\n+++ systemPrompt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n',
  );
});

test('a new text is all added lines', () => {
  expect(renderChanges([{ path: 'systemPrompt', before: '', after: 'You are\nkind.' }], plain)).toContain(
    '+You are\n+kind.\n',
  );
});
