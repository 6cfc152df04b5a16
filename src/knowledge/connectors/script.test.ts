import { expect, it } from 'vitest';
import { contentOf, failuresIn, pathsIn, syncedIndex } from '../../../test/knowledge/synced-index.ts';
import { tempFolder } from '../../../test/temp-folder.ts';
import type { RunScript, ScanEnd, ScriptItem } from '../connector.ts';

const runs =
  (items: readonly ScriptItem[], end: ScanEnd = {}): RunScript =>
  async (_source, _checkpoint, emit) => {
    for (const item of items) await emit(item);
    return end;
  };

it('indexes the items of a script, and reports invalid ones', async () => {
  await using home = await tempFolder();
  const index = syncedIndex(home.path, 'script', home.path, { path: 'x.lua' });
  const items: ScriptItem[] = [
    {
      id: 7,
      title: 'Seven',
      body: '# S\n\ntext',
      url: 'https://x/7',
      updated_at: '2026-01-02',
      metadata: { team: 'a' },
    },
    { path: 'b.html', content: '<h1>B</h1>', mime_type: 'text/html', updated_at: 1_700_000_000 },
    { title: 'nameless', body: 'x' },
    { id: 'empty' },
    { id: 7, body: 'again' },
  ];
  const result = await index.sync({ runScript: runs(items) });
  expect(result).toMatchObject({ ok: true, counts: { added: 2, failed: 2 } });
  expect(contentOf(index.file).documents).toMatchObject([
    { path: '7', title: 'Seven', url: 'https://x/7', metadata: '{"team":"a"}' },
    { path: 'b.html', title: 'B', text: '# B\n' },
  ]);
  expect(failuresIn(index.file)).toEqual([
    ['(item 3)', 'has neither `id` nor `path`'],
    ['empty', 'has no `body`'],
  ]);
  expect(result.events).toContainEqual(
    expect.objectContaining({ path: '7', reason: expect.stringContaining('duplicate') }),
  );
});

it('deletes items that are no longer emitted, unless the script reports a partial scan', async () => {
  await using home = await tempFolder();
  const index = syncedIndex(home.path, 'script', home.path, { path: 'x.lua' });
  const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id, body: `body of ${id}` }));
  if (!a || !b || !c) throw new Error('three');
  await index.sync({ runScript: runs([a, b], { checkpoint: { page: 2 } }) });
  const checkpoints: unknown[] = [];
  const partial: RunScript = async (_source, checkpoint, emit) => {
    checkpoints.push(checkpoint);
    await emit(c);
    return { partial: true, checkpoint: { page: 3 } };
  };
  await index.sync({ runScript: partial });
  expect(pathsIn(index.file)).toEqual(['a', 'b', 'c']);
  expect(await index.sync({ runScript: runs([a, { id: 'moved', body: b.body }]) })).toMatchObject({
    counts: { moved: 1, deleted: 1, unchanged: 1 },
  });
  expect(pathsIn(index.file)).toEqual(['a', 'moved']);
  expect(checkpoints).toEqual([{ page: 2 }]);
});

it('keeps all documents when the script fails or is stopped', async () => {
  await using home = await tempFolder();
  const index = syncedIndex(home.path, 'script', home.path, { path: 'x.lua' });
  await index.sync({ runScript: runs([{ id: 'a', body: 'a' }]) });
  const failing: RunScript = async (_source, _checkpoint, emit) => {
    await emit({ id: 'b', body: 'b' });
    throw new Error('x.lua:3: boom');
  };
  expect(await index.sync({ runScript: failing })).toMatchObject({ ok: false, error: 'x.lua:3: boom' });
  const hanging: RunScript = (_source, _checkpoint, _emit, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
  const signal = AbortSignal.timeout(50);
  expect(await index.sync({ runScript: hanging, signal })).toMatchObject({ ok: false });
  expect(pathsIn(index.file)).toContain('a');
});
