import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { openSqlite } from '../../platform/store/databases/index.ts';
import { createAcceptedTools } from './accepted-tools.ts';
import type { ServerLists } from './connection/link.ts';
import type { Upstream } from './upstream.ts';

const upstream: Upstream = {
  name: 'x',
  hash: 'x',
  owner: null,
  launch: { kind: 'http', secrets: [], url: 'http://127.0.0.1:1/mcp', headers: {} },
  shared: true,
  idleMs: 60_000,
  timeoutMs: 60_000,
  missing: [],
  pin: false,
};

function listsOf(descriptions: Record<string, string>): ServerLists {
  const tools = Object.entries(descriptions).map(([name, description]) => ({
    name,
    description,
    inputSchema: { type: 'object' as const },
  }));
  return { tools, prompts: [], resources: [], templates: [] };
}

async function openAccepted() {
  const folder = await tempFolder();
  const db = await openSqlite(join(folder.path, 'zoo.db'), { threads: false });
  const errors: unknown[] = [];
  return {
    errors,
    accepted: createAcceptedTools(db, {
      now: () => new Date(0),
      onError: (_message, error) => errors.push(error),
    }),
    close: () => db.close(),
    async [Symbol.asyncDispose]() {
      await db.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

it('a changed tool is no longer marked once its use has been stored', async () => {
  await using opened = await openAccepted();
  await opened.accepted.changes(upstream, listsOf({ one: 'a', two: 'a' }));
  const now = listsOf({ one: 'b', two: 'b' });
  expect([...(await opened.accepted.changes(upstream, now)).keys()]).toEqual(['one', 'two']);
  await opened.accepted.used(upstream, now, 'one');
  expect([...opened.accepted.peek(upstream).keys()]).toEqual(['two']);
});

it('a list that is read while a tool is accepted does not bring its mark back', async () => {
  await using opened = await openAccepted();
  await opened.accepted.changes(upstream, listsOf({ one: 'a' }));
  const before = listsOf({ one: 'b' });
  await opened.accepted.changes(upstream, before);
  // The new tool has to be stored as well, after the use of the first.
  const using = opened.accepted.used(upstream, before, 'one');
  const reading = opened.accepted.changes(upstream, listsOf({ one: 'b', two: 'a' }));
  await Promise.all([using, reading]);
  expect([...(await reading).keys()]).toEqual([]);
  expect([...opened.accepted.peek(upstream).keys()]).toEqual([]);
});

it('a use that cannot be stored is reported, and does not fail the call', async () => {
  await using opened = await openAccepted();
  await opened.accepted.changes(upstream, listsOf({ one: 'a' }));
  const now = listsOf({ one: 'b' });
  await opened.accepted.changes(upstream, now);
  await opened.close();
  await opened.accepted.used(upstream, now, 'one');
  expect(opened.errors).toHaveLength(1);
});
