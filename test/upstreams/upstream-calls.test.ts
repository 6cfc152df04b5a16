import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { call, type ConnectOptions, connect, stage, type Way, WAYS } from '../mcp/mcp-clients.ts';
import { type RunningHub, startHub } from '../start-hub.ts';
import { tempFolder, type TempFolder } from '../temp-folder.ts';
import {
  EVERYTHING,
  everythingOverHttp,
  FILESYSTEM,
  fixture,
  stdioServer,
  toolsWith,
} from './upstream-servers.ts';
import { PATIENCE } from '../patience.ts';

const everything = { 'zoo.toml': stdioServer('everything', [EVERYTHING]) };
const trustAll = { trustAll: true };

/** A client that answers questions with its name. */
function answering(name: string): ConnectOptions & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    client: { capabilities: { elicitation: {}, sampling: {} } },
    prepare(client: Client) {
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        asked.push(params.message);
        return { action: 'accept', content: { name, what: name } };
      });
      client.setRequestHandler('sampling/createMessage', async () => ({
        model: 'test-model',
        role: 'assistant',
        content: { type: 'text', text: `sampled by ${name}` },
      }));
    },
  };
}

function the<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('there is none');
  return value;
}

/** One hub and one process of each server, for all the ways that clients come. */
let hub: RunningHub;
let notes: TempFolder;

beforeAll(async () => {
  notes = await tempFolder({ legacy: '', modern: '' });
  const config = [
    everything['zoo.toml'],
    fixture('legacy', 'legacy', { notes: join(notes.path, 'legacy') }),
    fixture('modern', 'modern', { notes: join(notes.path, 'modern') }),
  ];
  hub = await startHub({ 'zoo.toml': config.join('') }, trustAll);
  for (const name of ['legacy__who', 'modern__who']) await hub.request('POST', `/tools/${name}`, {});
});

afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await notes[Symbol.asyncDispose]();
});

/** What a server notes from now on. */
function notesOf(era: Way['era']): () => string[] {
  const read = () => readFileSync(join(notes.path, era), 'utf8').trim().split('\n');
  const before = read().length;
  return () => read().slice(before);
}

describe.each(WAYS)('over $transport, $era', (way) => {
  it('offers the tools, prompts and resources of a server unchanged', async () => {
    const { asked, ...client } = answering('Ada');
    await using opened = await connect(hub, way, client);
    const mcp = opened.client;

    const tools = await toolsWith(mcp, 'everything__echo');
    const echo = tools.find(({ name }) => name === 'everything__echo');
    expect(echo).toMatchObject({ title: 'Echo Tool', inputSchema: { required: ['message'] } });
    expect((await call(mcp, 'everything__echo', { message: 'hello' })).text).toBe('Echo: hello');
    expect((await call(mcp, 'everything.echo', { message: 'hello' })).text).toBe('Echo: hello');
    expect(await call(mcp, 'everything__get-structured-content', { location: 'Chicago' })).toMatchObject({
      structured: { conditions: expect.any(String), temperature: expect.any(Number) },
    });
    const image = await mcp.callTool({ name: 'everything__get-tiny-image' });
    expect(image.content).toContainEqual(expect.objectContaining({ type: 'image', mimeType: 'image/png' }));
    const links = await mcp.callTool({ name: 'everything__get-resource-links', arguments: { count: 2 } });
    expect(links.content.filter(({ type }) => type === 'resource_link')).toHaveLength(2);

    const { text } = await call(mcp, 'everything__trigger-elicitation-request');
    expect(text).toContain('- Name: Ada');
    expect(asked).toHaveLength(1);
    expect((await call(mcp, 'everything__trigger-sampling-request', { prompt: 'x' })).text).toContain(
      'sampled by Ada',
    );

    const { prompts } = await mcp.listPrompts();
    expect(prompts.map(({ name }) => name)).toContain('everything__args-prompt');
    const prompt = await mcp.getPrompt({ name: 'everything__args-prompt', arguments: { city: 'Bern' } });
    expect(JSON.stringify(prompt.messages)).toContain('Bern');
    const ref = { type: 'ref/prompt', name: 'everything__completable-prompt' } as const;
    const { completion } = await mcp.complete({ ref, argument: { name: 'department', value: 'E' } });
    expect(completion.values).toEqual(['Engineering']);

    const { resources } = await mcp.listResources();
    const [page] = resources.filter(({ uri }) => uri.startsWith('demo://'));
    expect((await mcp.readResource({ uri: String(page?.uri) })).contents[0]).toHaveProperty('text');
    const { resourceTemplates } = await mcp.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(
      'demo://resource/dynamic/text/{resourceId}',
    );
    const read = await mcp.readResource({ uri: 'demo://resource/dynamic/text/7' });
    expect(JSON.stringify(read.contents)).toContain('Resource 7');
  });

  it('passes on progress and cancellation', async () => {
    await using opened = await connect(hub, way);
    const noted = notesOf('legacy');
    const heard: unknown[] = [];
    // With a token of our own: the SDK drops progress that arrives together with the result.
    opened.client.setNotificationHandler('notifications/progress', ({ params: { progress, total } }) => {
      heard.push({ progress, total });
    });
    await opened.client.callTool({
      name: 'everything__trigger-long-running-operation',
      arguments: { duration: 0.3, steps: 3 },
      _meta: { progressToken: 'mine' },
    });
    await vi.waitFor(
      () => expect(heard).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3 }))),
      PATIENCE,
    );

    const giveUp = new AbortController();
    const answer = opened.client.callTool({ name: 'legacy__slow' }, { signal: giveUp.signal });
    answer.catch(() => undefined);
    await vi.waitFor(() => expect(noted()).toContain('slow began'), PATIENCE);
    giveUp.abort();
    await expect(answer).rejects.toThrow(/abort/i);
    await vi.waitFor(() => expect(noted()).toContain('slow was cancelled'), PATIENCE);
  });

  it.each(['legacy', 'modern'] as const)(
    'asks on behalf of a %s server, which is called once',
    async (era) => {
      const { asked, ...client } = answering('Ada');
      await using opened = await connect(hub, way, client);
      const noted = notesOf(era);
      expect((await call(opened.client, `${era}__order`, { as: 'Ada' })).text).toBe(
        '{"action":"accept","content":{"name":"Ada","what":"Ada"}}',
      );
      expect(asked).toEqual([`The server '${era}' asks: What does Ada want?`]);
      expect(noted()).toEqual([
        'order began',
        ...(era === 'modern' ? ['order went on from "half-way"'] : []),
      ]);
    },
  );

  it('answers for a client that cannot be asked', async () => {
    await using opened = await connect(hub, way);
    expect((await call(opened.client, 'legacy__order')).text).toBe('{"action":"cancel"}');
  });
});

describe('the result of a server', () => {
  it('is passed on unchanged', async () => {
    await using opened = await stage(
      { transport: 'http', era: 'modern' },
      { 'zoo.toml': fixture('fixture', 'legacy') },
      trustAll,
    );
    const { content, structuredContent, isError, _meta } = await opened.client.callTool({
      name: 'fixture__odd',
    });
    expect({ content, structuredContent, isError }).toEqual({
      content: [{ type: 'text', text: 'odd', annotations: { priority: 0.5 }, _meta: { 'test/block': 1 } }],
      structuredContent: { n: 1, deep: [{ a: null }] },
      isError: true,
    });
    expect(_meta).toMatchObject({ 'test/result': { kept: true } });
  });

  it('reaches HTTP callers, too', async () => {
    await using hub = await startHub(everything, trustAll);
    const { body } = await hub.request('POST', '/tools/everything__get-sum', { a: 2, b: 3 });
    expect(body).toEqual({ result: [{ type: 'text', text: 'The sum of 2 and 3 is 5.' }] });
    const wrong = await hub.request('POST', '/tools/everything.get-sum', { a: 'two' });
    expect(wrong.body.error).toMatchObject({ code: 'bad_request' });
  });
});

describe('a legacy server that asks', () => {
  it.each(WAYS.filter(({ era }) => era === 'legacy'))(
    'reports when a person has finished on its page, over $transport',
    async (way) => {
      const config = fixture('fixture', 'legacy', { tools: ['visit', 'visited'] });
      await using hub = await startHub({ 'zoo.toml': config }, trustAll);
      const visitor = () => {
        const heard: string[] = [];
        const prepare = (client: Client): void => {
          client.setRequestHandler('elicitation/create', async () => ({ action: 'accept' }));
          client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
            heard.push(params.elicitationId);
          });
        };
        return { heard, client: { capabilities: { elicitation: { url: {} } } }, prepare };
      };
      const [one, other] = [visitor(), visitor()];
      await using first = await connect(hub, way, one);
      await using second = await connect(hub, way, other);
      expect((await call(first.client, 'fixture__visit', { as: 'a' })).text).toBe('{"action":"accept"}');
      await call(second.client, 'fixture__visit', { as: 'b' });
      // Another client's call, long afterwards: the report is for the one who was sent there.
      await call(second.client, 'fixture__visited', { as: 'a' });
      await call(first.client, 'fixture__visited', { as: 'b' });
      await vi.waitFor(() => expect([one.heard, other.heard]).toEqual([['a'], ['b']]), PATIENCE);
    },
  );

  it('gets each question answered by its caller, with many calls at once', async () => {
    await using hub = await startHub({ 'zoo.toml': fixture('fixture', 'legacy') }, trustAll);
    const names = ['Ada', 'Grace', 'Edsger', 'Barbara'];
    const clients = names.map(answering);
    const connected = await Promise.all(
      clients.map((client, index) =>
        connect(hub, WAYS[index % 4] ?? { transport: 'http', era: 'legacy' }, client),
      ),
    );
    // It is not known yet that it asks, so the calls run in parallel.
    const first = await Promise.all([
      call(the(connected[0]).client, 'fixture__order', { as: 'Ada' }),
      ...connected
        .slice(1)
        .map(({ client }, n) => call(client, 'fixture__slow', { ms: 300, as: names[n + 1] })),
    ]);
    expect(first.map(({ text }) => text)).toEqual([
      expect.stringContaining('"Ada"'),
      'slept Grace',
      'slept Edsger',
      'slept Barbara',
    ]);
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(
        connected.map(({ client }, index) => call(client, 'fixture__order', { as: names[index] })),
      );
      expect(answers.map(({ text }) => JSON.parse(text).content.what)).toEqual(names);
    }
    for (const [index, { asked }] of clients.entries()) {
      expect(new Set(asked)).toEqual(new Set([`The server 'fixture' asks: What does ${names[index]} want?`]));
    }
    for (const each of connected) await each[Symbol.asyncDispose]();
  });

  it('gets no answer when the caller is unclear', async () => {
    await using hub = await startHub({ 'zoo.toml': fixture('fixture', 'legacy') }, trustAll);
    const [ada, grace] = [answering('Ada'), answering('Grace')];
    await using one = await connect(hub, { transport: 'http', era: 'legacy' }, ada);
    await using two = await connect(hub, { transport: 'streams', era: 'legacy' }, grace);
    await call(one.client, 'fixture__who');
    const order = (client: Client, as: string) => call(client, 'fixture__order', { as, together: 2 });
    const answers = await Promise.all([order(one.client, 'Ada'), order(two.client, 'Grace')]);
    expect(answers.map(({ text }) => text)).toEqual(['{"action":"cancel"}', '{"action":"cancel"}']);
    expect([...ada.asked, ...grace.asked]).toEqual([]);
    const again = await Promise.all([order(one.client, 'Ada'), order(two.client, 'Grace')]);
    expect(again.map(({ text }) => JSON.parse(text).content.what)).toEqual(['Ada', 'Grace']);
  });
});

describe('an answer for a waiting call', () => {
  it('is only accepted from the caller that was asked', async () => {
    const agent = '[agents.other]\nsystem_prompt = "x"\ntools = ["*"]\n';
    await using hub = await startHub({ 'zoo.toml': fixture('fixture', 'legacy') + agent }, trustAll);
    const manual = {
      client: { capabilities: { elicitation: {} }, inputRequired: { autoFulfill: false } },
    };
    const way = { transport: 'http', era: 'modern' } as const;
    await using ada = await connect(hub, way, manual);
    await using mallory = await connect(hub, way, { ...manual, agent: 'other' });
    const order = (client: Client, given: object, as = 'Ada') =>
      client.callTool({ name: 'fixture__order', arguments: { as }, ...given }, { allowInputRequired: true });
    const asked: Record<string, unknown> = await order(ada.client, {});
    const [name = ''] = Object.keys(Object(asked['inputRequests']));
    const inputResponses = { [name]: { action: 'accept', content: { what: 'tea' } } };
    const stolen = await order(mallory.client, { inputResponses });
    expect(JSON.stringify(stolen)).toContain('no longer waits for this answer');
    const other = await order(ada.client, { inputResponses }, 'somebody else');
    expect(JSON.stringify(other)).toContain('no longer waits for this answer');
    const { requestState } = asked;
    expect(JSON.stringify(await order(ada.client, { inputResponses, requestState }))).toContain('tea');
    expect(JSON.stringify(await order(ada.client, { inputResponses, requestState }))).toContain(
      'no longer waits for this answer',
    );
    const { body } = await hub.request('GET', '/api/activity');
    expect(body.calls.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'failed',
      'ok',
      'failed',
      'failed',
      'asked',
    ]);
  });
});

describe('a server over HTTP', () => {
  it.each(['streamableHttp', 'sse'] as const)('works like a process: %s', async (mode) => {
    await using server = await everythingOverHttp(mode);
    const { asked, ...client } = answering('Ada');
    const config = `[tools.mcp.everything]\nurl = "${server.url}"\n`;
    for (const era of ['legacy', 'modern'] as const) {
      await using opened = await stage(
        { transport: 'http', era },
        { 'zoo.toml': config },
        { ...trustAll, ...client },
      );
      expect((await call(opened.client, 'everything__echo', { message: 'hello' })).text).toBe('Echo: hello');
      const { text } = await call(opened.client, 'everything__trigger-elicitation-request');
      expect(text).toContain('- Name: Ada');
      const heard: unknown[] = [];
      await opened.client.callTool(
        { name: 'everything__trigger-long-running-operation', arguments: { duration: 0.2, steps: 2 } },
        { onprogress: ({ progress }) => void heard.push(progress) },
      );
      await vi.waitFor(() => expect(heard).toEqual([1, 2]), PATIENCE);
    }
    expect(asked).toHaveLength(2);
  });
});

describe('the folders of a server', () => {
  it('come from its config, not from the roots of a client', async () => {
    await using data = await tempFolder({ 'a.txt': 'in the folder' });
    const config = stdioServer('files', [FILESYSTEM, data.path]);
    await using opened = await stage(
      { transport: 'streams', era: 'legacy' },
      { 'zoo.toml': config },
      {
        ...trustAll,
        client: { capabilities: { roots: {} } },
        prepare: (client) =>
          client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///' }] })),
      },
    );
    const path = join(data.path, 'a.txt');
    expect((await call(opened.client, 'files__read_text_file', { path })).text).toBe('in the folder');
    expect((await call(opened.client, 'files__list_allowed_directories')).text).toContain(data.path);
    expect(await call(opened.client, 'files__read_text_file', { path: '/etc/hostname' })).toMatchObject({
      isError: true,
    });
  });
});
