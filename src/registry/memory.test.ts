import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callContext } from '../../test/call-context.ts';
import { tempFolder } from '../../test/temp-folder.ts';
import type { BrainEntryInput } from '../contract/brain.ts';
import { openSqlite } from '../platform/store/databases/index.ts';
import { createMemory } from './memory.ts';

const context = callContext({ workspace: 'ws-1', surface: 'mcp' });
const wizard = { agentId: 'wizard', owner: null };

async function openMemory() {
  const folder = await tempFolder();
  const db = await openSqlite(join(folder.path, 'zoo.db'), { threads: false });
  let clock = new Date();
  const memory = createMemory(db, () => clock);
  return {
    memory,
    /** Writes an entry at a local time. */
    async at(time: string, input: Partial<BrainEntryInput> = {}) {
      clock = new Date(time);
      return memory.create(wizard, { type: 'note', content: time, ...input }, context);
    },
    async [Symbol.asyncDispose]() {
      await db.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe('brain entries', () => {
  it('get their origin from the hub', async () => {
    await using opened = await openMemory();
    const entry = await opened.at('2026-11-15T10:00', { tags: ['a', 'a'], metadata: { sessionId: 's1' } });
    expect(entry.metadata).toEqual({ source: 'mcp', sessionId: 's1', workspaceId: 'ws-1' });
    expect(entry.tags).toEqual(['a']);
    expect(await opened.memory.get(wizard, entry.id)).toEqual(entry);
  });

  it('are found by whole local days, both ends inclusive', async () => {
    await using opened = await openMemory();
    for (const time of [
      '2026-11-14T23:59:59',
      '2026-11-15T00:00:00',
      '2026-11-15T23:59:59',
      '2026-11-16T00:00:00',
    ]) {
      await opened.at(time);
    }
    const found = await opened.memory.query(wizard, { dateFrom: '2026-11-15', dateTo: '2026-11-15' });
    expect(found.entries.map(({ content }) => content)).toEqual([
      '2026-11-15T23:59:59',
      '2026-11-15T00:00:00',
    ]);
    expect((await opened.memory.query(wizard, { dateTo: '2026-11-14' })).total).toBe(1);
    expect((await opened.memory.query(wizard, { dateFrom: '2026-11-16' })).total).toBe(1);
  });

  it('are found by type, by any of several tags, by pin and by words, taken literally', async () => {
    await using opened = await openMemory();
    await opened.at('2026-11-15T10:00', { type: 'decision', tags: ['db'], content: '100% Postgres_' });
    await opened.at('2026-11-15T11:00', { tags: ['web', 'a%b'], pinned: true });
    await opened.at('2026-11-15T12:00', { tags: ['"quoted"'] });
    const count = async (filter: Parameters<typeof opened.memory.query>[1]) =>
      (await opened.memory.query(wizard, filter)).total;
    expect(await count({ type: 'decision' })).toBe(1);
    expect(await count({ tags: ['db', 'web'] })).toBe(2);
    expect(await count({ tags: ['d'] })).toBe(0);
    expect(await count({ tags: ['a_b'] })).toBe(0);
    expect(await count({ tags: ['"quoted"'] })).toBe(1);
    expect(await count({ pinned: true })).toBe(1);
    expect(await count({ pinned: false })).toBe(2);
    expect(await count({ q: '100% postgres_' })).toBe(1);
    expect(await count({ q: '100_' })).toBe(0);
    expect((await opened.memory.query(wizard, { limit: 1 })).entries).toHaveLength(1);
  });

  it('keep fields that a patch does not contain', async () => {
    await using opened = await openMemory();
    const entry = await opened.at('2026-11-15T10:00', { content: 'kept', tags: ['x'] });
    expect(await opened.memory.patch(wizard, entry.id, { pinned: true }, context)).toEqual({
      ...entry,
      pinned: true,
    });
    expect(
      await opened.memory.patch(wizard, entry.id, { content: undefined, tags: [] }, context),
    ).toMatchObject({
      content: 'kept',
      tags: [],
      pinned: true,
    });
    expect(await opened.memory.pinned(wizard)).toHaveLength(1);
  });

  it("belong to one agent: neither another id nor another workspace's agent of that id sees them", async () => {
    await using opened = await openMemory();
    const entry = await opened.at('2026-11-15T10:00');
    for (const other of [
      { agentId: 'other', owner: null },
      { agentId: 'wizard', owner: 'ws-2' },
    ]) {
      expect((await opened.memory.query(other, {})).total).toBe(0);
      await expect(opened.memory.get(other, entry.id)).rejects.toMatchObject({
        code: 'brain_entry_not_found',
      });
      await expect(opened.memory.remove(other, entry.id, context)).rejects.toMatchObject({
        code: 'brain_entry_not_found',
      });
    }
    await opened.memory.remove(wizard, entry.id, context);
    expect((await opened.memory.query(wizard, {})).total).toBe(0);
  });

  it('can be undeleted under their id, only for their agent', async () => {
    await using opened = await openMemory();
    const entry = await opened.at('2026-11-15T10:00');
    await opened.memory.remove(wizard, entry.id, context);
    await expect(
      opened.memory.undelete({ agentId: 'other', owner: null }, entry.id, context),
    ).rejects.toMatchObject({ code: 'brain_entry_not_found' });
    expect(await opened.memory.undelete(wizard, entry.id, context)).toEqual(entry);
    expect((await opened.memory.query(wizard, {})).entries).toEqual([entry]);
    await expect(opened.memory.undelete(wizard, 'unknown', context)).rejects.toMatchObject({
      code: 'brain_entry_not_found',
    });
  });
});
