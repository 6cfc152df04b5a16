import { expect, it } from 'vitest';
import { createResources } from './resources.ts';

it('closes in reverse order, each one even if another fails', async () => {
  const closed: string[] = [];
  const resources = createResources();
  expect(resources.add('first', (name) => closed.push(name))).toBe('first');
  resources.defer(() => Promise.reject(new Error('second failed')));
  resources.add('third', async (name) => {
    await Promise.resolve();
    closed.push(name);
  });
  await expect(resources.close()).rejects.toThrow('second failed');
  expect(closed).toEqual(['third', 'first']);
});

it('reports several failures as one error', async () => {
  const resources = createResources();
  resources.defer(() => {
    throw new Error('a');
  });
  resources.defer(() => Promise.reject(new Error('b')));
  const failure: unknown = await resources.close().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AggregateError);
  expect(failure).toMatchObject({ message: 'b; a', errors: [{ message: 'b' }, { message: 'a' }] });
});

it('closes only once', async () => {
  let times = 0;
  const resources = createResources();
  resources.defer(() => (times += 1));
  await Promise.all([resources.close(), resources.close()]);
  expect(times).toBe(1);
  expect(() => resources.defer(() => undefined)).toThrow('while closing');
});
