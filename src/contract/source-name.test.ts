import { expect, it } from 'vitest';
import { suggestSourceName } from './source-name.ts';

it.each([
  ['docs', 'docs'],
  ['./docs/', 'docs'],
  ['C:\\Work\\Hand Book', 'hand-book'],
  ['_notes', 'notes'],
  ['https://github.com/acme/Handbook.git', 'handbook'],
  ['git@github.com:handbook.git', 'handbook'],
  ['https://docs.example.com/', 'docs-example-com'],
  ['.', ''],
])('a source at %s is called %s', (place, name) => {
  expect(suggestSourceName(place)).toBe(name);
});
