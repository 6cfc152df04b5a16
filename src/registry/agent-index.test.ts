import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callContext } from '../../test/call-context.ts';
import { tempFolder } from '../../test/temp-folder.ts';
import { openSqlite } from '../platform/store/databases/index.ts';
import { recordEvent } from '../platform/store/events.ts';
import { createAgentIndex } from './agent-index.ts';
import { createAgentStore } from './agent-store.ts';
import { completeDefinition } from './definition.ts';

async function opened() {
  const folder = await tempFolder();
  const file = join(folder.path, 'zoo.db');
  const [db, other] = await Promise.all([
    openSqlite(file, { threads: false }),
    openSqlite(file, { threads: false }),
  ]);
  const close = async () => {
    await Promise.all([db.close(), other.close()]);
    await folder[Symbol.asyncDispose]();
  };
  const [store, elsewhere] = [db, other].map((each) => createAgentStore(each, () => new Date()));
  if (!store || !elsewhere) throw new Error('expected two stores');
  return { db, other, store, elsewhere, [Symbol.asyncDispose]: close };
}

const context = callContext();
const named = (name: string) => completeDefinition({ name });
const rename = (name: string) => () => ({ definition: named(name), value: null });

it('reflects every write of this and other processes, and always equals the stored list', async () => {
  await using opening = await opened();
  const { db, store, elsewhere } = opening;
  const list = createAgentIndex(db);
  expect(await list()).toEqual([]);
  for (const id of ['m', 'z', 'a', 'k']) await store.create(named(id), context, { exact: id });
  expect((await list()).map(({ id }) => id)).toEqual(['a', 'k', 'm', 'z']);
  const before = await list();
  expect(await list()).toBe(before);

  await store.update('m', { action: 'changed', context }, rename('M'));
  await elsewhere.remove('a', { context });
  await elsewhere.create(named('b'), context, { exact: 'b' });
  await new Promise((resolve) => setTimeout(resolve, 10));
  const after = await list();
  expect(after).toEqual(await store.list({ deleted: false }));
  expect(after.map(({ id, name }) => `${id} ${name}`)).toEqual(['b b', 'k k', 'm M', 'z z']);
  expect(after.at(-1)).toBe(before.at(-1));

  await elsewhere.undelete('a', context);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await list()).toEqual(await store.list({ deleted: false }));
});

it('reloads everything after a restore, and when events it has not seen were pruned', async () => {
  await using opening = await opened();
  const { db, store } = opening;
  const list = createAgentIndex(db);
  await store.create(named('a'), context, { exact: 'a' });
  await list();
  await db.transaction(async (tx) => {
    await tx.run("UPDATE agents SET deleted_at = 'now' WHERE id = 'a'");
    await recordEvent(tx, { type: 'store-restored', workspace: null, agentId: null }, 'now');
  });
  expect(await list()).toEqual([]);
  await db.transaction(async (tx) => {
    await tx.run("UPDATE agents SET deleted_at = NULL WHERE id = 'a'");
    for (let n = 0; n < 3; n += 1)
      await recordEvent(tx, { type: 'diagnostics-changed', workspace: null, agentId: null }, 'now');
    await tx.run('DELETE FROM events WHERE seq < (SELECT MAX(seq) FROM events)');
  });
  expect((await list()).map(({ id }) => id)).toEqual(['a']);
});
