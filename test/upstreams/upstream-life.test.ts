import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { call, connect, failure, stage } from '../mcp/mcp-clients.ts';
import { type RunningHub, startHub } from '../start-hub.ts';
import { tempFolder } from '../temp-folder.ts';
import {
  EVERYTHING,
  everythingOverHttp,
  FILESYSTEM,
  fixture,
  freePort,
  isAlive,
  MEMORY,
  processesOf,
  stdioServer,
  toolsWith,
} from './upstream-servers.ts';
import { PATIENCE } from '../patience.ts';

const trustAll = { trustAll: true };
const LEGACY = { transport: 'streams', era: 'legacy' } as const;
const MODERN = { transport: 'http', era: 'modern' } as const;

const lines = (file: string): string[] => readFileSync(file, 'utf8').trim().split('\n').filter(Boolean);

async function statusOf(hub: RunningHub, name: string) {
  const { body } = await hub.request('GET', '/api/upstreams');
  return body.upstreams.find((each: { name: string }) => each.name === name);
}

describe('servers', () => {
  it('run as one process each, for ten clients in two workspaces', async () => {
    await using data = await tempFolder();
    const cwd = `cwd = ${JSON.stringify(data.path)}`;
    const memory = join(data.path, 'memory.json');
    const config = [
      stdioServer('everything', [EVERYTHING], cwd),
      stdioServer('files', [FILESYSTEM, data.path], cwd),
      stdioServer('memory', [MEMORY], `${cwd}\nenv = { MEMORY_FILE_PATH = ${JSON.stringify(memory)} }`),
    ].join('');
    await using other = await tempFolder({ 'zoo.toml': config });
    await using hub = await startHub({ 'zoo.toml': config }, trustAll);
    const before = processesOf(process.pid).length;
    const clients = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        connect(hub, index % 2 ? LEGACY : MODERN, index < 5 ? {} : { workspace: other.path }),
      ),
    );
    const texts = await Promise.all(
      clients.map(async ({ client }, index) => {
        await call(client, 'memory__search_nodes', { query: 'x' });
        await call(client, 'files__list_allowed_directories');
        return (await call(client, 'everything__echo', { message: `n${index}` })).text;
      }),
    );
    expect(texts).toEqual(texts.map((_, index) => `Echo: n${index}`));
    expect(processesOf(process.pid).length - before).toBe(3);
    // They share one store.
    const [first, last] = [clients[0]?.client ?? never(), clients[9]?.client ?? never()];
    const entities = [{ name: 'Ada', entityType: 'person', observations: [] }];
    await call(first, 'memory__create_entities', { entities });
    expect((await call(last, 'memory__read_graph')).text).toContain('Ada');
    for (const each of clients) await each[Symbol.asyncDispose]();
  });

  it('announce that they have started, and that they were killed', async () => {
    await using hub = await startHub({ 'zoo.toml': fixture('fixture', 'legacy') }, trustAll);
    const seen: string[] = [];
    const stop = new AbortController();
    const context = hub.hub.localContext(await hub.hub.workspaceFor(undefined), stop.signal);
    const following = (async () => {
      // A state is written before its event: whoever reads after the event sees it, or a later one.
      for await (const { type } of hub.hub.operations.events({ after: 0 }, context)) {
        if (type === 'upstream-changed') seen.push((await statusOf(hub, 'fixture')).state);
      }
    })();
    await hub.request('POST', '/api/upstreams/check');
    await vi.waitFor(() => expect(seen.at(-1)).toBe('ready'), PATIENCE);
    process.kill((await statusOf(hub, 'fixture')).pid, 'SIGKILL');
    await vi.waitFor(() => expect(seen.at(-1)).toBe('failed'), PATIENCE);
    stop.abort();
    await following;
  });

  it('stop when idle, and start again on demand', async () => {
    const config = fixture('fixture', 'legacy', {}, 'idle_seconds = 0.3');
    await using opened = await stage(MODERN, { 'zoo.toml': config }, trustAll);
    const { text: first } = await call(opened.client, 'fixture__who');
    await vi.waitFor(() => expect(isAlive(Number(first))).toBe(false), PATIENCE);
    const status = () => statusOf(opened.hub, 'fixture');
    await expect.poll(status).toMatchObject({ state: 'idle', pid: null, tools: 6 });
    // A server that is used does not become idle meanwhile.
    const giveUp = new AbortController();
    const slow = opened.client
      .callTool({ name: 'fixture__slow' }, { signal: giveUp.signal })
      .catch(() => undefined);
    await expect.poll(status).toMatchObject({ state: 'ready', pid: expect.any(Number), era: 'legacy' });
    expect((await status()).pid).not.toBe(Number(first));
    giveUp.abort();
    await slow;
  });

  it('run once per client if they are not shared, and end with it', async () => {
    await using hub = await startHub(
      { 'zoo.toml': fixture('fixture', 'legacy', {}, 'shared = false') },
      trustAll,
    );
    const one = await connect(hub, LEGACY);
    const two = await connect(hub, { transport: 'http', era: 'legacy' });
    const pid = async ({ client }: typeof one): Promise<number> =>
      Number((await call(client, 'fixture__who')).text);
    const [first, second] = [await pid(one), await pid(two)];
    expect(first).not.toBe(second);
    expect(await pid(one)).toBe(first);
    await one[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(isAlive(first)).toBe(false), PATIENCE);
    expect(await pid(two)).toBe(second);
    await two[Symbol.asyncDispose]();
  });

  it('end with the hub, including their own child processes', async () => {
    await using notes = await tempFolder({ notes: '' });
    const file = join(notes.path, 'notes');
    const pids = async (): Promise<number[]> => {
      const config = fixture('fixture', 'legacy', { notes: file, child: true, stubborn: true });
      await using opened = await stage(MODERN, { 'zoo.toml': config }, trustAll);
      await call(opened.client, 'fixture__who');
      const noted = lines(file).map((line) => Number(line.split(' ')[1]));
      expect(noted.map(isAlive)).toEqual([true, true]);
      return noted;
    };
    for (const pid of await pids()) {
      await vi.waitFor(() => expect(isAlive(pid)).toBe(false), PATIENCE);
    }
  });

  it('may print other output', async () => {
    const settings = { noise: true, say: 'and so on\n', times: 30_000 };
    await using opened = await stage(
      MODERN,
      { 'zoo.toml': fixture('fixture', 'legacy', settings) },
      trustAll,
    );
    expect((await call(opened.client, 'fixture__who')).isError).toBe(false);
  });

  it('may have hundreds of tools with long names', async () => {
    const tools = Array.from({ length: 200 }, (_, n) => `${'a-very-long-name.'.repeat(6)}${n}`);
    const config = fixture('fixture', 'modern', { tools });
    await using opened = await stage(MODERN, { 'zoo.toml': config }, trustAll);
    const listed = await toolsWith(opened.client, 'fixture__who');
    const names = listed.map(({ name }) => name).filter((name) => name.startsWith('fixture__'));
    expect(names).toHaveLength(206);
    expect(new Set(names).size).toBe(206);
    expect(names.every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name))).toBe(true);
    const [, long = ''] = names.filter((name) => name.includes('very-long'));
    expect((await call(opened.client, long)).text).toMatch(/^called a-very-long-name\./);
    expect((await call(opened.client, `fixture.${tools[7]}`)).text).toBe(`called ${tools[7]}`);
  });

  it('report changes of their lists', async () => {
    await using hub = await startHub({ 'zoo.toml': fixture('fixture', 'legacy') }, trustAll);
    for (const way of [LEGACY, MODERN]) {
      const changed = vi.fn<() => void>();
      await using connected = await connect(hub, way, {
        client: { listChanged: { tools: { autoRefresh: false, onChanged: changed } } },
      });
      await toolsWith(connected.client, 'fixture__who');
      await call(connected.client, 'fixture__grow');
      let heard = 0;
      let names: string[] = [];
      // A first notification may still be about the start of the server.
      await vi.waitFor(async () => {
        if (changed.mock.calls.length > heard) {
          heard = changed.mock.calls.length;
          names = (await connected.client.listTools()).tools.map(({ name }) => name);
        }
        expect(names).toContain('fixture__grown');
      }, PATIENCE);
    }
  });
});

describe('a server that ends during a call', () => {
  it('is reported, and restarted by the next call', async () => {
    await using data = await tempFolder({ notes: '' });
    const notes = join(data.path, 'notes');
    const begun = () => lines(notes).filter((line) => line === 'slow began').length;
    const config = fixture('fixture', 'legacy', { notes });
    await using opened = await stage(MODERN, { 'zoo.toml': config }, trustAll);
    for (let round = 0; round < 2; round += 1) {
      expect(await failure(opened.client, 'fixture__die')).toEqual({
        error: true,
        code: 'TOOL_ERROR',
        message:
          "The server 'fixture' exited during the call, which may have taken effect: exited with code 7. It printed no error. The next call starts it again.",
      });
      const { text } = await call(opened.client, 'fixture__who');
      const slow = failure(opened.client, 'fixture__slow');
      await expect.poll(begun).toBe(round + 1);
      process.kill(Number(text), 'SIGKILL');
      expect(await slow).toMatchObject({ message: expect.stringContaining('was killed by SIGKILL') });
    }
    expect((await call(opened.client, 'fixture__who')).isError).toBe(false);
  });

  it('is reached again over HTTP once it is back', async () => {
    const server = await everythingOverHttp();
    const config = `[tools.mcp.everything]\nurl = "${server.url}"\n`;
    await using opened = await stage(MODERN, { 'zoo.toml': config }, trustAll);
    const echo = () => call(opened.client, 'everything__echo', { message: 'x' });
    expect((await echo()).text).toBe('Echo: x');
    await server[Symbol.asyncDispose]();
    expect((await echo()).text).toMatch(/127\.0\.0\.1:\d+ refused the connection/);
    await using _again = await everythingOverHttp('streamableHttp', Number(new URL(server.url).port));
    expect((await echo()).text).toBe('Echo: x');
  });
});

describe('a server that does not answer', () => {
  it('does not block other servers', async () => {
    const port = await freePort();
    const config = [
      fixture('hangs', 'legacy', { hang: true }, 'timeout = 600'),
      fixture('late', 'legacy', { hang: true, say: 'waiting for the database' }, 'timeout = 6'),
      stdioServer('crashes', ['-e', 'console.error("no key"); process.exit(3)']),
      fixture('works', 'legacy'),
      `[tools.mcp.refuses]\nurl = "http://127.0.0.1:${port}/mcp"\n`,
    ].join('');
    await using opened = await stage(MODERN, { 'zoo.toml': config }, trustAll);
    await opened.client.listTools();
    expect(await statusOf(opened.hub, 'hangs')).toMatchObject({ state: 'starting' });
    await toolsWith(opened.client, 'works__who');
    expect((await call(opened.client, 'works__who')).isError).toBe(false);
    await vi.waitFor(
      async () =>
        expect(await statusOf(opened.hub, 'late')).toMatchObject({
          state: 'failed',
          tools: null,
          error: 'was started, but did not answer within 6 s. It said:\nwaiting for the database',
        }),
      PATIENCE,
    );
    expect((await statusOf(opened.hub, 'crashes')).error).toBe('exited with code 3. It said:\nno key');
    expect((await statusOf(opened.hub, 'refuses')).error).toBe(
      `127.0.0.1:${port} refused the connection: is the server running?`,
    );
  });

  it('delays others only briefly when many must be started', async () => {
    await using data = await tempFolder({ notes: '' });
    const notes = join(data.path, 'notes');
    const config = [
      ...Array.from({ length: 10 }, (_, n) => fixture(`hangs-${n}`, 'legacy', { notes, hang: true, n })),
      fixture('works', 'legacy', { notes }),
    ].join('');
    await using opened = await stage(MODERN, { 'zoo.toml': config }, trustAll);
    await toolsWith(opened.client, 'works__who');
    await expect.poll(() => lines(notes).length).toBe(11);
    // By the hub's own clock, so that a slow machine does not matter.
    const { body } = await opened.hub.request('GET', '/api/upstreams');
    const hanging: { state: string; since: string }[] = body.upstreams.slice(0, 10);
    expect(hanging.map(({ state }) => state)).toEqual(hanging.map(() => 'starting'));
    const begun = hanging.map(({ since }) => Date.parse(since)).toSorted((a, b) => a - b);
    expect((begun[8] ?? 0) - (begun[0] ?? 0)).toBeGreaterThanOrEqual(1_990);
  });

  it('is described by its cause', async () => {
    const config = [
      '[tools.mcp.gone]\ncommand = "no-such-command"\n',
      '[tools.mcp.homeless]\ncommand = "node"\ncwd = "nowhere"\n',
      '[tools.mcp.needy]\ncommand = "node"\nenv = { KEY = "${NOT_SET}" }\n',
      '[tools.mcp.odd]\nurl = "ftp://example.com"\n',
    ].join('');
    await using hub = await startHub({ 'zoo.toml': config }, trustAll);
    const { body } = await hub.request('POST', '/api/upstreams/check');
    const errors = body.upstreams.map(({ error }: { error: string }) => error);
    expect(errors[0]).toContain("command 'no-such-command' not found");
    expect(errors[1]).toContain('does not exist');
    expect(errors[2]).toContain('needs the variable NOT_SET, which is not set');
    expect(errors[3]).toContain('must begin with http:// or https://');
    const unknown = await hub.request('POST', '/api/upstreams/check', { name: 'gon' });
    expect(unknown).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });
});

describe('after a restart', () => {
  it('lists are available at once, without starting a server', async () => {
    await using data = await tempFolder({ notes: '' });
    const file = join(data.path, 'notes');
    await using home = await tempFolder();
    const files = {
      'zoo.toml': fixture('fixture', 'legacy', { notes: file }, `cwd = ${JSON.stringify(data.path)}`),
    };
    const options = { ...trustAll, home: home.path };
    {
      await using first = await stage(MODERN, files, options);
      await toolsWith(first.client, 'fixture__who');
    }
    const started = lines(file).length;
    await using second = await stage(MODERN, files, options);
    expect((await second.client.listTools()).tools.map(({ name }) => name)).toContain('fixture__who');
    expect(lines(file)).toHaveLength(started);
    expect((await call(second.client, 'fixture__who')).isError).toBe(false);
    expect(lines(file)).toHaveLength(started + 1);
  });
});

describe('an unapproved workspace', () => {
  it('starts nothing, and offers its tools once approved', async () => {
    await using data = await tempFolder({ notes: '' });
    const file = join(data.path, 'notes');
    await using opened = await stage(LEGACY, { 'zoo.toml': fixture('fixture', 'legacy', { notes: file }) });
    const names = async () => (await opened.client.listTools()).tools.map(({ name }) => name);
    expect(await names()).not.toContain('fixture__who');
    expect(await statusOf(opened.hub, 'fixture')).toMatchObject({ state: 'untrusted' });
    expect(lines(file)).toEqual([]);
    const { body } = await opened.hub.request('GET', '/api/trust');
    await opened.hub.request('PUT', '/api/trust', { hash: body.hash });
    await toolsWith(opened.client, 'fixture__who');
    const pid = Number((await call(opened.client, 'fixture__who')).text);
    await opened.hub.request('DELETE', '/api/trust');
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), PATIENCE);
    expect(await names()).not.toContain('fixture__who');
    expect(await failure(opened.client, 'fixture__who')).toMatchObject({ code: 'TOOL_NOT_FOUND' });
  });
});

describe('an agent', () => {
  it('sees prompts and resources of the servers in its scope only', async () => {
    const config = [
      stdioServer('everything', [EVERYTHING]),
      '[agents.reader]\nsystem_prompt = "x"\ntools = ["everything.echo"]\n',
      '[agents.other]\nsystem_prompt = "x"\ntools = ["search"]\n',
    ].join('');
    await using hub = await startHub({ 'zoo.toml': config }, trustAll);
    await using reader = await connect(hub, MODERN, { agent: 'reader' });
    await toolsWith(reader.client, 'everything__echo');
    const prompts = (await reader.client.listPrompts()).prompts.map(({ name }) => name);
    expect(prompts).toContain('everything__simple-prompt');
    const uri = 'demo://resource/dynamic/text/1';
    expect((await reader.client.readResource({ uri })).contents).toHaveLength(1);
    expect(await failure(reader.client, 'everything__get-env')).toMatchObject({ code: 'OUT_OF_SCOPE' });
    await using other = await connect(hub, MODERN, { agent: 'other' });
    expect((await other.client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['other']);
    expect(
      (await other.client.listResources()).resources.filter((each) => each.uri.startsWith('demo')),
    ).toEqual([]);
    await expect(other.client.readResource({ uri })).rejects.toThrow(/not found/i);
    await expect(other.client.getPrompt({ name: 'everything__simple-prompt' })).rejects.toThrow(/no prompt/);
  });
});

function never(): never {
  throw new Error('there is none');
}
