import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../test/temp-folder.ts';
import { createHub } from './create-hub.ts';

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

  it('counts on this machine without being asked for', async () => {
    await using started = await hubOf('[server]\nbind = "127.0.0.1:9000"\n');
    expect(started.hub.serverSettings()).toEqual({ bind: '127.0.0.1:9000', allowedHosts: [] });
    const report = await started.hub.operations.getTrust({}, started.context);
    expect(report.state).toBe('nothing-to-trust');
  });

  it('opens no door to other machines before the user has approved it', async () => {
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

describe('diagnostics', () => {
  it('name tools that no one offers, with the nearest, but not those of a Markdown agent', async () => {
    await using started = await hubOf('[agents.a]\nsystem_prompt = "x"\ntools = ["agent_zoo_injekt"]\n');
    const { diagnostics } = await started.hub.operations.listDiagnostics({}, started.context);
    expect(diagnostics).toMatchObject([
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
  it('has one working agent, once', async () => {
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
