import { expect, it } from 'vitest';
import { api, type OperationName } from '../api.ts';
import { loadOperation } from './load-operation.ts';
import * as groups from '../operations/index.ts';

const isName = (name: string): name is OperationName => Object.hasOwn(api, name);

it('loads every operation from the group that the table names', async () => {
  const names = Object.keys(api).filter(isName);
  const loaded = await Promise.all(names.map((name) => loadOperation(name)));
  expect(loaded).toEqual(names.map((name) => api[name]));
});

it('uses no operation name and no route in two groups', () => {
  const all = Object.values(groups).flatMap(({ operations }) => Object.entries(operations));
  expect(Object.keys(api)).toHaveLength(all.length);
  const routes = all.map(([, { method, path }]) => `${method} ${path}`);
  expect(new Set(routes).size).toBe(routes.length);
});
