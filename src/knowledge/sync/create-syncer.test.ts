import { readdirSync, readlinkSync } from 'node:fs';
import { rename, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { contentOf, pathsIn } from '../../../test/knowledge/synced-index.ts';
import { canReadFigures } from '../../../test/process-figures.ts';
import { tempFolder } from '../../../test/temp-folder.ts';
import type { SyncEvent, SyncOptions } from '../../contract/knowledge.ts';
import type { ConfiguredSource } from '../connector.ts';
import { createSyncer, type SyncerOptions } from './create-syncer.ts';
import { someRoundWithin } from '../../../test/some-round-within.ts';

const settings = { maxTokens: 700, overlapTokens: 80 };
const never = new AbortController().signal;

async function stage(files: Record<string, string>, options: Partial<SyncerOptions> = {}) {
  const docs = await tempFolder(files);
  const home = await tempFolder();
  const index = join(home.path, 'index.db');
  const syncer = createSyncer({ index, cache: join(home.path, 'cache'), ...options });
  const source = (name: string, root = '.'): ConfiguredSource => ({
    owner: null,
    type: 'filesystem',
    name,
    folder: docs.path,
    config: { root },
  });
  return {
    docs,
    index,
    syncer,
    source,
    async [Symbol.asyncDispose]() {
      await syncer.close();
      await docs[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

async function all(events: AsyncIterable<SyncEvent>): Promise<SyncEvent[]> {
  const found: SyncEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

it('syncs sources in a worker thread and reports events', async () => {
  await using at = await stage({ 'a/1.md': 'one', 'b/2.md': 'two' });
  const sources = [at.source('first', 'a'), at.source('second', 'b'), at.source('gone', 'nowhere')];
  const events = await all(at.syncer.sync({}, sources, settings, never));
  expect(events[0]).toEqual({
    type: 'start',
    sources: ['filesystem:first', 'filesystem:second', 'filesystem:gone'],
    dryRun: false,
  });
  expect(events.filter(({ type }) => type === 'done')).toMatchObject([
    { source: 'filesystem:first', ok: true, error: null, counts: { added: 1 } },
    { source: 'filesystem:second', ok: true, counts: { added: 1 } },
    { source: 'filesystem:gone', ok: false, error: expect.stringContaining('does not exist') },
  ]);
  expect(events.some(({ type }) => type === 'progress')).toBe(true);
  expect(events.at(-1)).toMatchObject({ type: 'end', ok: false, counts: { added: 2, scanned: 2 } });
});

it('runs two syncs of one source in sequence', async () => {
  await using at = await stage(
    Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${n}.md`, `n ${n}`])),
  );
  const sources = [at.source('notes')];
  const both = await Promise.all([
    all(at.syncer.sync({}, sources, settings, never)),
    all(at.syncer.sync({}, sources, settings, never)),
  ]);
  const counts = both.map((events) => events.find(({ type }) => type === 'done'));
  expect(counts).toMatchObject([{ counts: { added: 300 } }, { counts: { unchanged: 300, added: 0 } }]);
});

it('counts changes, and lists them in a dry run or on request', async () => {
  await using at = await stage({ '1.md': 'one', '2.md': 'two' });
  const sync = async (options: SyncOptions) => {
    const events = await all(at.syncer.sync(options, [at.source('notes')], settings, never));
    const done = events.find(({ type }) => type === 'done');
    const told = events.filter(({ type }) => type === 'change').length;
    return [done?.type === 'done' && done.counts.added, told];
  };
  expect(await sync({ dry_run: true })).toEqual([2, 2]);
  expect(await sync({})).toEqual([2, 0]);
  await at.docs.write('3.md', 'three');
  expect(await sync({ changes: true })).toEqual([1, 1]);
});

it('stops when aborted, and when its events are no longer read', async () => {
  await using at = await stage(
    Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`${n}.md`, `n ${n}`])),
  );
  const stop = new AbortController();
  const events: SyncEvent[] = [];
  for await (const event of at.syncer.sync({ changes: true }, [at.source('notes')], settings, stop.signal)) {
    events.push(event);
    if (events.filter(({ type }) => type === 'change').length === 1) stop.abort();
  }
  expect(events.at(-1)).toMatchObject({ type: 'end', ok: false });
  expect(events.find(({ type }) => type === 'done')).toMatchObject({
    ok: false,
    error: expect.stringContaining('stopped'),
  });
  for await (const { type } of at.syncer.sync({ changes: true }, [at.source('notes')], settings, never)) {
    if (type === 'change') break;
  }
  const last = await all(at.syncer.sync({}, [at.source('notes')], settings, never));
  expect(last.find(({ type }) => type === 'done')).toMatchObject({ ok: true });
  expect(pathsIn(at.index)).toHaveLength(3000);
});

it('embeds indexed documents, and reports failures', async () => {
  let works = true;
  await using at = await stage(
    { '1.md': 'one' },
    {
      async embed(source) {
        if (!works) throw new Error('the provider is down');
        expect(source.name).toBe('notes');
        return { embedded: 7 };
      },
    },
  );
  const run = async () => (await all(at.syncer.sync({}, [at.source('notes')], settings, never))).slice(-2);
  expect(await run()).toMatchObject([
    { type: 'done', ok: true },
    { type: 'end', ok: true, counts: { embedded: 7 } },
  ]);
  works = false;
  expect(await run()).toMatchObject([
    { type: 'done', ok: false, error: 'embedding failed: the provider is down' },
    { type: 'end', ok: false },
  ]);
});

it('syncs a watched folder within a second of a change', async () => {
  await using at = await stage({ 'a.md': 'one', 'sub/b.md': 'two', '.gitignore': 'ignored' });
  const stop = new AbortController();
  const events: SyncEvent[] = [];
  const watching = at.syncer.watch([at.source('notes')], settings, stop.signal, (event) =>
    events.push(event),
  );
  const until = async (path: string, change: string, count = 1) => {
    const seen = () =>
      events.filter((event) => 'change' in event && event.path === path && event.change === change).length;
    await expect.poll(seen).toBe(count);
  };
  await until('sub/b.md', 'added');
  await expect.poll(() => events.map(({ type }) => type)).toContain('done');

  await at.docs.write('sub/deep/new.md', 'three');
  await until('sub/deep/new.md', 'added');
  await someRoundWithin(1000, async (n) => {
    await at.docs.replace('a.md', `changed ${n}`);
    await until('a.md', 'changed', n + 1);
  });
  await rename(join(at.docs.path, 'sub'), join(at.docs.path, 'other'));
  await until('other/deep/new.md', 'moved');
  await unlink(join(at.docs.path, 'a.md'));
  await until('a.md', 'deleted');
  stop.abort();
  await watching;
  expect(contentOf(at.index).documents.map(({ path }) => path)).toEqual(['other/b.md', 'other/deep/new.md']);
});

it('keeps watching a folder that is deleted and created again', async () => {
  await using at = await stage({ 'a.md': 'one' });
  const stop = new AbortController();
  const events: SyncEvent[] = [];
  const watching = at.syncer.watch([at.source('notes')], settings, stop.signal, (event) =>
    events.push(event),
  );
  const change = (path: string) => () =>
    events.find((event) => event.type === 'change' && event.path === path);
  await expect.poll(change('a.md')).toBeDefined();
  await rm(at.docs.path, { recursive: true });
  await expect.poll(() => events.some((event) => event.type === 'done' && !event.ok)).toBe(true);
  await at.docs.write('b.md', 'two');
  await expect.poll(change('b.md')).toMatchObject({ change: 'added' });
  await at.docs.write('c.md', 'three');
  await expect.poll(change('c.md')).toMatchObject({ change: 'added' });
  stop.abort();
  await watching;
  expect(contentOf(at.index).documents.map(({ path }) => path)).toEqual(['b.md', 'c.md']);
});

it('runs scripts in the hub, with backpressure', async () => {
  let emitted = 0;
  await using at = await stage(
    {},
    {
      async runScript(source, checkpoint, emit, signal) {
        expect([source.name, checkpoint, signal.aborted]).toEqual(['tickets', null, false]);
        for (; emitted < 500; emitted++)
          await emit({ id: emitted, body: `ticket ${emitted}`, metadata: { n: emitted } });
        return { checkpoint: 'seen' };
      },
    },
  );
  const source = { ...at.source('tickets'), type: 'script', config: { path: 'x.lua' } } as const;
  const events = await all(at.syncer.sync({}, [source], settings, never));
  expect(events.at(-1)).toMatchObject({ type: 'end', ok: true, counts: { added: 500 } });
});

it('stops a script with its sync', async () => {
  const stop = new AbortController();
  let stopped = false;
  await using at = await stage(
    {},
    {
      async runScript(_source, _checkpoint, emit, signal) {
        await emit({ id: 1, body: 'one' });
        stop.abort();
        await emit({ id: 2, body: 'two' }).catch(() => undefined);
        stopped = signal.aborted;
        return {};
      },
    },
  );
  const source = { ...at.source('tickets'), type: 'script', config: { path: 'x.lua' } } as const;
  const events = await all(at.syncer.sync({}, [source], settings, stop.signal));
  expect(events.at(-1)).toMatchObject({ type: 'end', ok: false });
  expect(stopped).toBe(true);
  expect(pathsIn(at.index)).toEqual(['1']);
});

it.runIf(canReadFigures)('leaves no file of the index open when it is idle', async () => {
  await using at = await stage({ '1.md': 'one' });
  for (let n = 0; n < 3; n++) {
    await at.docs.write('1.md', `version ${n}`);
    await all(at.syncer.sync({}, [at.source('docs')], settings, never));
  }
  const open = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(at.index);
      } catch {
        return false;
      }
    });
  await expect.poll(open).toEqual([]);
});
