import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import type { SyncEvent } from '../../contract/knowledge.ts';
import type { ConfiguredSource } from '../connector.ts';
import { watchSources } from './watch-sources.ts';
import { PATIENCE } from '../../../test/patience.ts';

const unhandled: unknown[] = [];
const note = (error: unknown) => unhandled.push(error);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));

it('reports a sync that fails, and syncs again after the next change', async () => {
  await using folder = await tempFolder({ 'a.md': 'one' });
  const source: ConfiguredSource = {
    owner: null,
    type: 'filesystem',
    name: 'notes',
    folder: folder.path,
    config: {},
  };
  const stop = new AbortController();
  const events: SyncEvent[] = [];
  let [failed, succeeded, works] = [0, 0, false];
  const sync = async () => {
    if (works) succeeded++;
    else failed++;
    if (!works) throw new Error('the index cannot be opened');
  };
  const watching = watchSources([source], stop.signal, sync, (event) => events.push(event));
  // One change may cause two events.
  await vi.waitFor(() => expect(failed).toBe(1), PATIENCE);
  await folder.write('b.md', 'two');
  await vi.waitFor(() => expect(failed).toBeGreaterThan(1), PATIENCE);
  works = true;
  await folder.write('c.md', 'three');
  await vi.waitFor(() => expect(succeeded).toBeGreaterThan(0), PATIENCE);
  stop.abort();
  await watching;
  expect(unhandled).toEqual([]);
  expect(events).toEqual([
    {
      type: 'problem',
      source: 'filesystem:notes',
      path: null,
      reason: expect.stringContaining('the index cannot be opened'),
    },
  ]);
});

it('notices a folder that was replaced by one with the same inode number', async () => {
  await using parent = await tempFolder({ 'docs/a.md': 'one' });
  const docs = `${parent.path}/docs`;
  const source: ConfiguredSource = {
    owner: null,
    type: 'filesystem',
    name: 'notes',
    folder: docs,
    config: {},
  };
  const stop = new AbortController();
  let syncs = 0;
  const watching = watchSources(
    [source],
    stop.signal,
    async () => void syncs++,
    () => undefined,
  );
  await vi.waitFor(() => expect(syncs).toBe(1), PATIENCE);
  replaceFolder(docs);
  // Longer than the interval in which folders are checked.
  await sleep(1_000);
  const before = syncs;
  await parent.write('docs/b.md', 'two');
  await vi.waitFor(() => expect(syncs).toBeGreaterThan(before), PATIENCE);
  stop.abort();
  await watching;
});

/** File systems reuse a free inode number for one of the next folders. */
function replaceFolder(path: string): void {
  const { ino } = statSync(path);
  rmSync(path, { recursive: true });
  const made: string[] = [];
  do {
    made.push(`${path}-${made.length}`);
    mkdirSync(made.at(-1) ?? '');
  } while (statSync(made.at(-1) ?? '').ino !== ino && made.length < 200);
  renameSync(made.pop() ?? '', path);
  for (const each of made) rmSync(each, { recursive: true });
}
