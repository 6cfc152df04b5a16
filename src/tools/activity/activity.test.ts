import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { ZooError } from '../../contract/errors.ts';
import { silentCall } from '../../contract/tool.ts';
import { openSqlite } from '../../platform/store/databases/index.ts';
import { callContext } from '../../../test/call-context.ts';
import { tempFolder } from '../../../test/temp-folder.ts';
import { type Activity, type ActivityOptions, createActivity } from './activity.ts';
import { PATIENCE } from '../../../test/patience.ts';

async function open(options: Partial<ActivityOptions> = {}) {
  const folder = await tempFolder();
  const db = await openSqlite(join(folder.path, 'zoo.db'), { threads: false });
  const errors: unknown[] = [];
  const activity = createActivity({
    db,
    now: () => new Date(),
    days: () => 30,
    prunes: true,
    secretsOf: async () => ['s3cr3t-value'],
    log: (_message, error) => errors.push(error),
    ...options,
  });
  return {
    db,
    activity,
    errors,
    async [Symbol.asyncDispose]() {
      await activity.close();
      await db.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const call = (activity: Activity, name: string, work = async () => ({ content: [] }), args = {}) =>
  activity.watch({ name, displayName: name.replace('__', '.') }, args, silentCall(callContext()), work);

const fail = async (): Promise<never> => {
  throw new ZooError('invalid_arguments', 'not s3cr3t-value');
};

describe('the record of calls', () => {
  it('lists caller, tool, arguments and outcome, newest first', async () => {
    await using opened = await open();
    const { activity } = opened;
    await call(activity, 'git__log', undefined, { repo: 'x', token: 'abc' });
    await expect(call(activity, 'get', fail)).rejects.toThrow('not');
    await expect(call(activity, 'get', () => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
    expect(await activity.list({})).toMatchObject([
      { tool: 'get', outcome: 'failed', code: 'internal', message: 'a bug' },
      { tool: 'get', outcome: 'failed', code: 'invalid_arguments', message: 'not [redacted]' },
      {
        seq: 1,
        caller: 'operator',
        tool: 'git__log',
        displayName: 'git.log',
        arguments: '{"repo":"x","token":"[redacted]"}',
        outcome: 'ok',
        code: null,
        durationMs: expect.any(Number),
      },
    ]);
  });

  it('can be filtered and followed', async () => {
    await using opened = await open();
    const { activity } = opened;
    for (const name of ['a', 'b__c', 'a']) await call(activity, name);
    await call(activity, 'a', fail).catch(() => undefined);
    const tools = async (filter: Parameters<Activity['list']>[0]) =>
      (await activity.list(filter)).map(({ seq }) => seq);
    expect(await tools({ tool: 'b.c' })).toEqual([2]);
    expect(await tools({ tool: 'b__c' })).toEqual([2]);
    expect(await tools({ failed: true })).toEqual([4]);
    expect(await tools({ failed: false, limit: 2 })).toEqual([3, 2]);
    expect(await tools({ after: 2 })).toEqual([3, 4]);
    expect(await tools({ before: 3 })).toEqual([2, 1]);
    expect(await tools({ agent: 'nobody' })).toEqual([]);
    expect(await tools({ since: new Date(Date.now() + 1000).toISOString() })).toEqual([]);
    await expect(tools({ since: 'yesterday-ish' })).rejects.toThrow(
      /since: 'yesterday-ish' is not a valid time/,
    );
  });

  it('is written soon, without delaying calls', async () => {
    await using opened = await open();
    const { activity, db } = opened;
    await call(activity, 'a');
    const count = async () => Number((await db.one('SELECT COUNT(*) AS n FROM tool_calls'))?.n);
    expect(await count()).toBe(0);
    await expect.poll(count).toBe(1);
  });

  it('deletes old calls', async () => {
    let time = Date.now() - 40 * 24 * 60 * 60 * 1000;
    await using opened = await open({ now: () => new Date(time) });
    const { activity } = opened;
    await call(activity, 'old');
    expect(await activity.list({})).toHaveLength(1);
    time = Date.now();
    await call(activity, 'new');
    expect(await activity.list({})).toMatchObject([{ tool: 'new' }]);
  });

  it('deletes old calls even if no new ones arrive', async () => {
    let time = Date.now() - 40 * 24 * 60 * 60 * 1000;
    await using opened = await open({ now: () => new Date(time), pruneEveryMs: 30 });
    const { activity, db } = opened;
    await call(activity, 'old');
    expect(await activity.list({})).toHaveLength(1);
    time = Date.now();
    const count = async () => Number((await db.one('SELECT COUNT(*) AS n FROM tool_calls'))?.n);
    await vi.waitFor(async () => expect(await count()).toBe(0), PATIENCE);
  });

  it('is not kept with zero days', async () => {
    await using opened = await open({ days: () => 0 });
    await call(opened.activity, 'a');
    expect(await opened.activity.list({})).toEqual([]);
  });

  it('is written once the store recovers, with the failure reported until then', async () => {
    await using opened = await open();
    const { activity, db, errors } = opened;
    await db.transaction((tx) => tx.run('ALTER TABLE tool_calls RENAME TO gone'));
    await call(activity, 'first');
    await call(activity, 'second');
    await expect(activity.list({})).rejects.toThrow('no such table');
    expect(errors).toHaveLength(1);
    expect(activity.diagnostics()).toMatchObject([
      {
        severity: 'error',
        message: expect.stringContaining('no such table'),
        hint: expect.stringMatching(/^2 calls/),
      },
    ]);
    await db.transaction((tx) => tx.run('ALTER TABLE gone RENAME TO tool_calls'));
    await vi.waitFor(
      async () => expect(await activity.list({})).toMatchObject([{ tool: 'second' }, { tool: 'first' }]),
      PATIENCE,
    );
    expect(activity.diagnostics()).toEqual([]);
    expect(errors).toHaveLength(1);
  });

  it('holds a bounded number of calls while the store cannot be written', async () => {
    await using opened = await open();
    const { activity, db } = opened;
    await db.transaction((tx) => tx.run('ALTER TABLE tool_calls RENAME TO gone'));
    for (let n = 0; n < 12_000; n += 1) await call(activity, `n${n}`);
    const [trouble] = activity.diagnostics();
    expect(trouble?.hint).toMatch(/^5000 calls are waiting .* 7000 older ones were lost/);
    await db.transaction((tx) => tx.run('ALTER TABLE gone RENAME TO tool_calls'));
    expect(await activity.list({ limit: 1 })).toMatchObject([{ tool: 'n11999' }]);
    expect(Number((await db.one('SELECT COUNT(*) AS n FROM tool_calls'))?.n)).toBe(5000);
  });
});
