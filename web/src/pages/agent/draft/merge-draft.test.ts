import { expect, test } from 'vitest';
import { type Draft, takeField } from './merge-draft.ts';

const before: Draft = {
  revision: 3,
  base: { name: 'Ada', description: 'Old' },
  fields: { name: 'Ada L.', description: 'New' },
};

test('an undo takes one field from the earlier draft, and keeps later changes of others', () => {
  const now: Draft = {
    revision: 3,
    base: { name: 'Ada', systemPrompt: '' },
    fields: { name: 'Ada', systemPrompt: 'Typed since' },
  };
  expect(takeField('description', before, now)).toEqual({
    revision: 3,
    base: { name: 'Ada', systemPrompt: '', description: 'Old' },
    fields: { name: 'Ada', systemPrompt: 'Typed since', description: 'New' },
  });
});

test('a field that was not in the earlier draft leaves the draft', () => {
  const now: Draft = { revision: 4, base: { name: 'Ada' }, fields: { name: 'Eve' } };
  expect(takeField('name', null, now)).toEqual({ revision: 4, base: {}, fields: {} });
  expect(takeField('name', null, null)).toBeNull();
});

test('an undo after everything was discarded begins at the revision of the earlier draft', () => {
  expect(takeField('name', before, null)).toEqual({
    revision: 3,
    base: { name: 'Ada' },
    fields: { name: 'Ada L.' },
  });
});
