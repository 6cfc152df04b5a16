import { expect, test } from 'vitest';
import { completeDefinition } from './definition.ts';
import { createAgentFilter } from './agent-filter.ts';
import { summaryOf } from './agent-store.ts';

const summary = (id: string, description: string) =>
  summaryOf({
    ...completeDefinition({ name: id, description, systemPrompt: '' }),
    id,
    source: 'editor',
    origin: null,
    revision: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
  });

test('finds agents by words, also after some were changed, added and removed', () => {
  const filter = createAgentFilter();
  const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);
  const [a, b, c] = [summary('a', 'Reviews Code'), summary('b', 'writes code'), summary('c', 'tests')];
  expect(ids(filter([a, b, c], { q: 'CODE' }))).toEqual(['a', 'b']);
  expect(ids(filter([a, b, c], { q: 'code reviews' }))).toEqual(['a']);
  const changed = summary('b', 'draws pictures');
  expect(ids(filter([a, changed, c], { q: 'code' }))).toEqual(['a']);
  const first = summary('0', 'deploys code');
  expect(ids(filter([first, a, changed, c], { q: 'code' }))).toEqual(['0', 'a']);
  expect(ids(filter([a, c], { q: 'tests' }))).toEqual(['c']);
  expect(ids(filter([a, c], { source: 'toml' }))).toEqual([]);
});
