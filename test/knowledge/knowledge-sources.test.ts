import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { FILES, search, settled, SOON, syncedHub, titles } from './synced-hub.ts';
import { tempFolder } from '../temp-folder.ts';

const PATIENT = { timeout: 60_000, interval: 100 };

describe('sources', () => {
  it('can be scripts, which run only in trusted workspaces', async () => {
    const script = `connector = {}
function connector.scan(config, checkpoint)
  emit({ path = "one.md", title = "From a script", body = "The bilby says " .. config.word .. "." })
  emit({ path = "two.md", body = "# Second\\n\\nRun " .. tostring(checkpoint or "first") .. "." })
  return { checkpoint = "again" }
end
return connector
`;
    await using hub = await syncedHub({
      'zoo.toml': '[connectors.script.wiki]\npath = "connectors/wiki.lua"\nword = "hello"\n',
      'connectors/wiki.lua': script,
    });
    const { sources } = (await hub.request('GET', '/api/knowledge/sources')).body;
    expect(sources).toMatchObject([{ id: 'script:wiki', configured: false, documents: 0 }]);
    const { hash } = (await hub.request('GET', '/api/trust')).body;
    await hub.request('PUT', '/api/trust', { hash });
    await vi.waitFor(async () => expect(titles(await search(hub, 'bilby'))).toEqual(['From a script']), SOON);
    const { body } = await hub.request('POST', '/api/knowledge/sync', { what: 'script:wiki' });
    expect(body).toContain('"type":"end","ok":true');
    expect((await search(hub, 'run again')).results).toMatchObject([
      { title: 'Second', source: 'script:wiki' },
    ]);
  });

  it("are those of the workspace and the user's own config", async () => {
    await using own = await tempFolder({ 'a.md': '# Mine\n\nThe quokka is mine.\n' });
    await using hub = await syncedHub(FILES, {
      own: {
        'zoo.toml': `[connectors.filesystem.notes]\nroot = ${JSON.stringify(own.path)}\n[connectors.filesystem.handbook]\nroot = ${JSON.stringify(own.path)}\n`,
      },
    });
    await using other = await tempFolder({
      'zoo.toml': '[connectors.filesystem.secrets]\nroot = "secrets"\n',
      'secrets/s.md': '# Secret\n\nThe wombat knows the quokka.\n',
    });
    const at = `?workspace=${encodeURIComponent(other.path)}`;
    await settled(hub, at);
    expect(titles(await search(hub, 'quokka'))).toEqual(['Mine']);
    expect(titles(await search(hub, 'wombat'))).toEqual([]);
    expect(titles(await search(hub, 'wombat', {}, at))).toEqual(['Secret']);
    expect(titles(await search(hub, 'restart payments-api', {}, at))).toEqual([]);
    const ids = async (query: string) =>
      (await hub.request('GET', `/api/knowledge/sources${query}`)).body.sources.map(
        ({ id, documents }: { id: string; documents: number }) => `${id} ${documents}`,
      );
    // The workspace's own handbook, not the user's.
    expect(await ids('')).toEqual(['filesystem:runbooks 2', 'filesystem:handbook 1', 'filesystem:notes 1']);
    expect((await hub.request('GET', '/api/diagnostics')).body.diagnostics).toMatchObject([
      { code: 'duplicate-source', message: 'the workspace also defines the source filesystem:handbook' },
    ]);
    expect(await ids(at)).toEqual(['filesystem:secrets 1', 'filesystem:notes 1', 'filesystem:handbook 1']);
  });

  it('outside of the workspace are read only after trust', async () => {
    await using outside = await tempFolder({ 'x.md': '# Outside\n\nThe numbat is outside.\n' });
    await using hub = await syncedHub({
      'zoo.toml': `[connectors.filesystem.inside]\nroot = "docs"\n[connectors.filesystem.outside]\nroot = ${JSON.stringify(outside.path)}\n`,
      'docs/y.md': '# Inside\n\nThe numbat is inside.\n',
    });
    expect(titles(await search(hub, 'numbat'))).toEqual(['Inside']);
    const { sources } = (await hub.request('GET', '/api/knowledge/sources')).body;
    expect(sources).toMatchObject([
      { id: 'filesystem:inside', configured: true },
      { id: 'filesystem:outside', configured: false, last_error: expect.stringContaining('zoo trust') },
    ]);
    const refused = await hub.request('POST', '/api/knowledge/sync', { what: 'outside' });
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'untrusted' } } });
    const { hash } = (await hub.request('GET', '/api/trust')).body;
    await hub.request('PUT', '/api/trust', { hash });
    await vi.waitFor(
      async () => expect(titles(await search(hub, 'numbat')).toSorted()).toEqual(['Inside', 'Outside']),
      SOON,
    );
  });
});

it('an unknown source of an agent is a diagnostic', async () => {
  await using hub = await syncedHub({
    'zoo.toml': `[connectors.filesystem.runbooks]\nroot = "runbooks"\n[agents.x]\nsystem_prompt = "x"\nsources = ["runbok", "filesystem"]\n`,
    'runbooks/a.md': 'a',
  });
  expect((await hub.request('GET', '/api/diagnostics')).body.diagnostics).toMatchObject([
    { code: 'unknown-source', agentId: 'x', line: 3, hint: "Did you mean 'runbooks'?" },
  ]);
});

describe('a sync over HTTP', () => {
  const events = (text: string) =>
    [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));

  it('streams events, and fails with a status if it cannot start', async () => {
    await using hub = await syncedHub();
    await mkdir(join(hub.folder, 'handbook/more'));
    const { body, headers } = await hub.request('POST', '/api/knowledge/sync', {
      what: 'runbooks',
      full: true,
    });
    expect(headers.get('content-type')).toContain('text/event-stream');
    const told = events(body);
    expect(told.at(0)).toMatchObject({ type: 'start', sources: ['filesystem:runbooks'] });
    expect(told.at(-2)).toMatchObject({ type: 'done', source: 'filesystem:runbooks', ok: true });
    expect(told.at(-1)).toMatchObject({ type: 'end', ok: true });
    const unknown = await hub.request('POST', '/api/knowledge/sync', { what: 'filesystem:runbok' });
    expect(unknown).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("Did you mean 'filesystem:runbooks'?") } },
    });
  });

  it('stops with its connection, unless it runs in the background', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 1500 }, (_, n) => [`docs/${n}.md`, `# Page ${n}\n\n${`word${n} `.repeat(300)}`]),
    );
    await using hub = await syncedHub({
      'zoo.toml': '[connectors.filesystem.docs]\nroot = "docs"\n',
      ...files,
    });
    const begin = async (body: object) => {
      const stop = new AbortController();
      const reply = await fetch(`${hub.url}/api/knowledge/sync`, {
        method: 'POST',
        headers: { authorization: `Bearer ${hub.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: stop.signal,
      });
      const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
      for (let text = ''; !text.includes('"progress"');) text += (await reader.read()).value ?? '';
      return stop;
    };
    const source = async () => (await hub.request('GET', '/api/knowledge/sources')).body.sources[0];
    const untilSynced = () =>
      vi.waitFor(async () => expect(await source()).toMatchObject({ syncing: false }), PATIENT);
    // A machine that is busy with other things may sync everything before it is told to stop.
    await vi.waitFor(async () => {
      (await begin({ full: true })).abort();
      await untilSynced();
      expect(await source()).toMatchObject({
        healthy: false,
        last_error: expect.stringContaining('The sync was stopped'),
      });
    }, PATIENT);

    await vi.waitFor(async () => {
      (await begin({ full: true, background: true })).abort();
      expect(await source()).toMatchObject({ syncing: true });
      expect(hub.hub.use().open).toBe(1);
    }, PATIENT);
    await untilSynced();
    expect(await source()).toMatchObject({ healthy: true, last_error: null, documents: 1500 });
    expect(hub.hub.use().open).toBe(0);
  });
});
