import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { startHub } from './start-hub.ts';
import { tempFolder } from './temp-folder.ts';
import { PATIENCE } from './patience.ts';

const inline = (prompt: string) => `[agents.helper]\nsystem_prompt = "${prompt}"\n`;

describe('two workspaces on one hub', () => {
  it('each see their own agent with the same id, by folder and by workspace id', async () => {
    await using hub = await startHub({ 'zoo.toml': inline('one') });
    await using other = await tempFolder({ 'ctx.toml': inline('two'), 'deep/down/x.txt': '' });
    const opened = await hub.request('POST', '/api/workspaces', { path: join(other.path, 'deep/down') });
    expect(opened.body).toMatchObject({ path: other.path, config: join(other.path, 'ctx.toml') });

    const system = async (query: string) =>
      (await hub.request('POST', `/agents/helper/prompt${query}`)).body.result.system;
    const answers = await Promise.all([
      system(''),
      system(`?workspace=${opened.body.id}`),
      system(`?workspace=${encodeURIComponent(other.path)}`),
      system(`?workspace=${encodeURIComponent(hub.folder)}`),
    ]);
    expect(answers).toEqual(['one', 'two', 'two', 'one']);

    const missing = await hub.request('GET', '/api/agents?workspace=nowhere-12345678');
    expect(missing).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    const gone = await hub.request('GET', `/api/agents?workspace=${encodeURIComponent('/does/not/exist')}`);
    expect(gone.status).toBe(404);
  });

  it('keep the memories of their agents separate', async () => {
    await using hub = await startHub({ 'zoo.toml': inline('one') });
    await using other = await tempFolder({ 'zoo.toml': inline('two') });
    await hub.request('POST', '/api/agents/helper/brain', {
      type: 'note',
      content: 'secret of one',
      pinned: true,
    });
    const query = `?workspace=${encodeURIComponent(other.path)}`;
    expect((await hub.request('GET', `/api/agents/helper/brain${query}`)).body.total).toBe(0);
    const { result } = (await hub.request('POST', `/agents/helper/prompt${query}`)).body;
    expect(result.system).toBe('two');
  });
});

describe('a file that changes', () => {
  it('is served without a restart, and every follower gets an event', async () => {
    await using hub = await startHub({ 'zoo.toml': inline('before') });
    const events = await fetch(`${hub.url}/api/events`, {
      headers: { authorization: `Bearer ${hub.token}` },
    });
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    await writeFile(join(hub.folder, 'zoo.toml'), inline('after'));
    await vi.waitFor(async () => {
      const { result } = (await hub.request('POST', '/agents/helper/prompt')).body;
      expect(result.system).toBe('after');
    }, PATIENCE);
    let told = '';
    while (!told.includes('agent-changed')) told += (await reader?.read())?.value ?? '';
    expect(told).toMatch(/id: \d+/);
    expect(told).toContain('"agentId":"helper"');
    await reader?.cancel();
  });

  it('keeps its last good version while it is broken, and says so with file and line', async () => {
    await using hub = await startHub({ 'zoo.toml': inline('good') });
    await writeFile(join(hub.folder, 'zoo.toml'), '[agents.helper]\nsystem_prompt = "half\n');
    await vi.waitFor(async () => {
      const { diagnostics } = (await hub.request('GET', '/api/diagnostics')).body;
      expect(diagnostics).toContainEqual(
        expect.objectContaining({
          severity: 'error',
          code: 'syntax',
          file: join(hub.folder, 'zoo.toml'),
          line: 2,
        }),
      );
    }, PATIENCE);
    expect((await hub.request('POST', '/agents/helper/prompt')).body.result.system).toBe('good');
    expect((await hub.request('POST', '/agents/guide/prompt')).status).toBe(200);
    await rm(join(hub.folder, 'zoo.toml'));
    await vi.waitFor(async () => {
      expect((await hub.request('GET', '/api/agents/helper')).status).toBe(404);
    }, PATIENCE);
  });

  it('may be Markdown in a folder that did not exist, with the tools of its client kept and marked', async () => {
    await using hub = await startHub({ 'zoo.toml': '' });
    await using markdown = await tempFolder();
    void markdown;
    const folder = join(hub.folder, '.claude/agents');
    const { mkdir } = await import('node:fs/promises');
    await mkdir(folder, { recursive: true });
    await symlink(hub.folder, join(folder, 'loop'));
    await writeFile(
      join(folder, 'reviewer.md'),
      '---\nname: reviewer\ndescription: Reviews\ntools: Read, Bash, agent_zoo_inject\n---\nYou review.\n',
    );
    await vi.waitFor(async () => {
      const { result } = (await hub.request('POST', '/agents/reviewer/prompt')).body;
      expect(result).toMatchObject({
        system: 'You review.',
        tools: ['agent_zoo_inject'],
        clientTools: ['Read', 'Bash'],
      });
    }, PATIENCE);
  });
});

describe('trust', () => {
  const script = `
[agents.script.responder]
path = "agents/responder.lua"

[agents.plain]
system_prompt = "data"

[tools.mcp.evil]
command = "touch"
args = ["pwned"]
env = { TOKEN = "\${ZOO_TEST_SECRET}" }
`;

  it('is needed to run but not to read, asked again after a change, and revocable', async () => {
    await using hub = await startHub({ 'zoo.toml': script, 'agents/responder.lua': 'agent = {}' });
    expect((await hub.request('POST', '/agents/plain/prompt')).body.result.system).toBe('data');
    const report = (await hub.request('GET', '/api/trust')).body;
    expect(report).toMatchObject({ state: 'untrusted', path: hub.folder });
    expect(
      report.runnables.map(({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`).toSorted(),
    ).toEqual(['script-agent responder', 'upstream evil']);
    expect((await hub.request('PUT', '/api/trust', { hash: 'other' })).status).toBe(409);
    expect((await hub.request('PUT', '/api/trust', { hash: report.hash })).body.state).toBe('trusted');
    await writeFile(join(hub.folder, 'agents/responder.lua'), 'agent = { evil = true }');
    await vi.waitFor(async () => {
      expect((await hub.request('GET', '/api/trust')).body.state).toBe('changed');
    }, PATIENCE);
    expect((await hub.request('DELETE', '/api/trust')).body.state).toBe('untrusted');
    const { diagnostics } = (await hub.request('GET', '/api/diagnostics')).body;
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: 'untrusted' }));
    expect(JSON.stringify([report, diagnostics])).not.toContain('hunter2');
  });
});
