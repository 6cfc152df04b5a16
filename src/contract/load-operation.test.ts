import { expect, it } from 'vitest';
import { api, type OperationName } from './api.ts';
import { loadOperation } from './load-operation.ts';

const isName = (name: string): name is OperationName => Object.hasOwn(api, name);

it('every operation is found in the group that the table says', async () => {
  const names = Object.keys(api).filter(isName);
  const loaded = await Promise.all(names.map((name) => loadOperation(name)));
  expect(loaded).toEqual(names.map((name) => api[name]));
});
