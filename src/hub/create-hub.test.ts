import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createSecretFiles } from '../platform/home/secret-files.ts';
import { openSqlite } from '../platform/store/databases/index.ts';
import { once } from '../platform/store/once.ts';
import { localContext } from './base/open-base.ts';
import { createPushConfigs } from './a2a/push-configs.ts';
import { startRetention } from './base/retention.ts';
import { openWatches } from '../../test/open-watches.ts';
import { tempFolder } from '../../test/temp-folder.ts';
import { createHub } from './create-hub.ts';
import { PATIENCE } from '../../test/patience.ts';

async function hubOf(config: string, options: { trustAll?: boolean } = {}) {
  const folder = await tempFolder({ 'zoo.toml': config });
  const hub = await createHub({
    home: join(folder.path, 'home'),
    env: { ZOO_CONFIG_DIR: join(folder.path, 'config') },
    folder: folder.path,
    serving: true,
    ...options,
  });
  const context = hub.localContext(await hub.workspaceFor(undefined));
  const close = async () => {
    await hub.close();
    await folder[Symbol.asyncDispose]();
  };
  return { hub, context, [Symbol.asyncDispose]: close };
}

describe('[server] of the config that a hub was started with', () => {
  const open = '[server]\nbind = "0.0.0.0:7331"\nallowed_hosts = ["zoo.example"]\n';

  it('applies on loopback without approval', async () => {
    await using started = await hubOf('[server]\nbind = "127.0.0.1:9000"\n');
    expect(started.hub.serverSettings()).toEqual({ bind: '127.0.0.1:9000', allowedHosts: [] });
    const report = await started.hub.operations.getTrust({}, started.context);
    expect(report.state).toBe('nothing-to-trust');
  });

  it('does not open the hub to other machines before approval', async () => {
    await using started = await hubOf(open);
    expect(started.hub.serverSettings()).toEqual({ bind: null, allowedHosts: [] });
    const { runnables, hash } = await started.hub.operations.getTrust({}, started.context);
    expect(runnables.map(({ kind, detail }) => `${kind} ${detail}`)).toEqual([
      'server listens on 0.0.0.0:7331',
      'server answers to zoo.example',
    ]);
    await started.hub.operations.approveTrust({ body: { hash } }, started.context);
    expect(started.hub.serverSettings()).toEqual({ bind: '0.0.0.0:7331', allowedHosts: ['zoo.example'] });
  });
});

describe('a start that fails', () => {
  it('closes everything that was opened', async () => {
    await using folder = await tempFolder({ 'zoo.toml': '', 'home/zoo.db': '' });
    const options = {
      home: join(folder.path, 'home'),
      env: { ZOO_CONFIG_DIR: join(folder.path, 'config') },
      folder: folder.path,
      watch: true,
      serving: true,
    };
    const before = await openWatches();
    const broken = {
      get tools(): never {
        throw new Error('broken extension');
      },
    };
    await expect(createHub({ ...options, extensions: [broken] })).rejects.toThrow('broken extension');
    // Watches of an earlier test file may be closed meanwhile.
    await expect.poll(openWatches).toBeLessThanOrEqual(before);
    const hub = await createHub(options);
    await hub.close();
    await expect.poll(openWatches).toBeLessThanOrEqual(before);
  });
});

describe('old rows', () => {
  it('are removed while the hub runs, not only at its start', async () => {
    await using folder = await tempFolder();
    const db = await openSqlite(join(folder.path, 'zoo.db'), { threads: false });
    let now = new Date('2026-01-01T00:00:00Z');
    const secrets = createSecretFiles(join(folder.path, 'push'));
    const pushConfigs = createPushConfigs(db, secrets);
    const stop = await startRetention({
      db,
      now: () => now,
      pruneFiles: pushConfigs.prune,
      everyMs: 20,
      log: () => undefined,
    });
    // Of a task that was removed.
    const push = { taskId: 'gone', id: '1', workspace: 'w', url: 'http://localhost' };
    await pushConfigs.put({ ...push, token: 'secret', scheme: '', credentials: '' });
    const context = { ...localContext('w'), idempotencyKey: 'k' };
    await db.transaction((tx) => once(tx, context, now.toISOString(), async () => 1));
    now = new Date('2026-01-03T00:00:00Z');
    await vi.waitFor(async () => expect(await db.all('SELECT * FROM done_writes')).toEqual([]), PATIENCE);
    await vi.waitFor(async () => expect(await secrets.list()).toEqual([]), PATIENCE);
    await stop();
    await db.close();
  });
});

describe('diagnostics', () => {
  it('report unknown tools with the nearest match, except for Markdown agents', async () => {
    await using started = await hubOf('[agents.a]\nsystem_prompt = "x"\ntools = ["agent_zoo_injekt"]\n');
    const { diagnostics } = await started.hub.operations.listDiagnostics({}, started.context);
    const unknown = diagnostics.filter(({ code }) => code !== 'untrusted');
    expect(unknown).toMatchObject([
      {
        severity: 'note',
        code: 'unknown-tool',
        agentId: 'a',
        line: 3,
        message: expect.stringMatching(/agent_zoo_inject'/),
      },
    ]);
  });
});

describe('a new home', () => {
  it('gets one working agent, once', async () => {
    await using started = await hubOf('');
    const { hub, context } = started;
    expect((await hub.operations.listAgents({}, context)).agents.map(({ id }) => id)).toEqual(['guide']);
    expect((await hub.operations.resolveAgent({ name: 'guide' }, context)).receipt.warnings).toEqual([]);
    await hub.operations.deleteAgent({ id: 'guide' }, context);
    const { home } = await hub.operations.status({}, context);
    const again = await createHub({ home, env: {}, folder: home });
    const there = again.localContext(await again.workspaceFor(undefined));
    expect((await again.operations.listAgents({}, there)).agents).toEqual([]);
    await again.close();
  });
});
