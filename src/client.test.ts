import { describe, expect, it } from 'vitest';
import { serveSurface, type ServedSurface } from '../test/serve-surface.ts';
import { type ClientOptions, type Transport, createClient } from './client.ts';
import { api } from './contract/api.ts';
import { ZooError } from './contract/errors.ts';
import type { SyncEvent } from './contract/knowledge.ts';
import type { Operation } from './contract/table/operation.ts';

/** What a page would use. */
const fetchTransport =
  ({ url, token }: { url: string; token: string }): Transport =>
  async ({ path, headers, ...init }) => {
    const reply = await fetch(url + path, {
      ...init,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    return {
      status: reply.status,
      text: () => reply.text(),
      async *chunks() {
        for await (const chunk of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) yield chunk;
      },
    };
  };

const clientOf = (surface: ServedSurface, options?: ClientOptions) =>
  createClient(fetchTransport(surface), options);

describe('a client', () => {
  it('sends all kinds of inputs to the hub unchanged', async () => {
    const inputs: unknown[] = [];
    const record = async <T>(input: unknown, answer: T): Promise<T> => {
      inputs.push(input);
      return answer;
    };
    await using surface = await serveSurface({
      operations: () => ({
        listAgents: (input) => record(input, { agents: [], total: 0 }),
        queryBrain: (input) => record(input, { entries: [], total: 0 }),
        deleteAgent: (input) => record(input, null),
        setCurrent: (input) => record(input, { agentId: null }),
        callTool: (input) => record(input, { content: [] }),
      }),
    });
    const client = clientOf(surface);
    const sent = [
      await client.call('listAgents', {}),
      await client.call('listAgents', { q: 'a&b=c d+e%/?#é食', deleted: false, limit: 5, source: 'toml' }),
      await client.call('queryBrain', {
        id: 'x',
        tags: ['a', 'b,c', 'd e'],
        pinned: true,
        dateFrom: '2026-11-15',
      }),
      await client.call('queryBrain', { id: 'x', tags: [] }),
      await client.call('deleteAgent', { id: 'a/b c%2F?é', ifMatch: 7 }),
      await client.call('deleteAgent', { id: 'x', ifMatch: undefined }),
      await client.call('setCurrent', { body: { agentId: null } }),
      await client.call('callTool', {
        name: 'server.tool',
        body: { text: 'é\n"', deep: [{ n: 1.5, no: null }] },
      }),
      await client.call('callTool', { name: 'x', agent: 'guide' }),
    ];
    expect(sent.slice(0, 7)).toEqual([
      { agents: [], total: 0 },
      { agents: [], total: 0 },
      { entries: [], total: 0 },
      { entries: [], total: 0 },
      null,
      null,
      { agentId: null },
    ]);
    expect(inputs).toEqual([
      {},
      { q: 'a&b=c d+e%/?#é食', deleted: false, limit: 5, source: 'toml' },
      { id: 'x', tags: ['a', 'b,c', 'd e'], pinned: true, dateFrom: '2026-11-15' },
      { id: 'x' },
      { id: 'a/b c%2F?é', ifMatch: 7 },
      { id: 'x', ifMatch: undefined },
      { body: { agentId: null } },
      { name: 'server.tool', body: { text: 'é\n"', deep: [{ n: 1.5, no: null }] } },
      { name: 'x', agent: 'guide' },
    ]);
  });

  it('returns wrapped results, results for numbers in the path, and empty ones', async () => {
    await using surface = await serveSurface();
    const client = clientOf(surface);
    const resolved = await client.call('resolveAgent', { name: 'guide' });
    expect(resolved.receipt.agentId).toBe('guide');
    const made = await client.call('createAgent', { body: { name: 'Made' } });
    expect(await client.call('getRevision', { id: made.id, revision: 1 })).toEqual(made);
    expect(await client.call('deleteAgent', { id: made.id, ifMatch: made.revision })).toBeNull();
    expect((await client.call('stop', {})).stopping).toBe(true);
  });

  it('throws the specific error code, not only the public one', async () => {
    await using surface = await serveSurface();
    const client = clientOf(surface);
    await expect(client.call('getAgent', { id: 'nobody' })).rejects.toMatchObject({
      code: 'agent_not_found',
    });
    await expect(
      client.call('patchAgent', { id: 'guide', body: { name: 'x' }, ifMatch: 9 }),
    ).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(client.call('listAgents', { limit: 0 })).rejects.toMatchObject({
      code: 'invalid_arguments',
      details: { issues: [{ path: 'limit', message: expect.any(String) }] },
    });
    const stranger = createClient(fetchTransport({ url: surface.url, token: 'zoo_wrong' }));
    await expect(stranger.call('status', {})).rejects.toMatchObject({
      code: 'unauthorized',
      details: undefined,
    });
  });

  it('reports a response that is not from a hub', async () => {
    const proxy: Transport = async () => ({
      status: 502,
      text: async () => '<h1>Bad Gateway</h1>',
      async *chunks() {},
    });
    await expect(createClient(proxy).call('health', {})).rejects.toMatchObject({
      code: 'internal',
      message: 'The answer (502) is not from a hub: <h1>Bad Gateway</h1>',
    });
  });

  it.each(['', '.', '..'])('rejects the id %j, which would change the path', async (id) => {
    const unreachable: Transport = () => Promise.reject(new Error('sent'));
    await expect(createClient(unreachable).call('getAgent', { id })).rejects.toMatchObject({
      code: 'invalid_arguments',
    });
  });

  it('acts in its workspace', async () => {
    await using surface = await serveSurface();
    const { workspace } = await clientOf(surface).call('status', {});
    expect((await clientOf(surface, { workspace: workspace.path }).call('status', {})).workspace).toEqual(
      workspace,
    );
    await expect(clientOf(surface, { workspace: 'none-00000000' }).call('status', {})).rejects.toMatchObject({
      code: 'workspace_not_found',
    });
  });

  it('uses a distinct query name for every input that is not in the path or the body', () => {
    const clashes = Object.entries<Operation>(api).filter(([, { params, query }]) =>
      [...Object.keys(params?.shape ?? {}), ...Object.keys(query?.shape ?? {})].some((name) =>
        ['body', 'ifMatch', 'workspace'].includes(name),
      ),
    );
    expect(clashes.map(([name]) => name)).toEqual([]);
  });
});

describe('a stream', () => {
  it('resumes after the last event when the connection drops', async () => {
    await using surface = await serveSurface();
    const whole = fetchTransport(surface);
    const resumed: (string | undefined)[] = [];
    // Each line breaks after its first event: in the middle of the next one, or cleanly.
    const breaking: Transport = async (request) => {
      const reply = await whole(request);
      resumed.push(request.headers['last-event-id']);
      return {
        ...reply,
        async *chunks() {
          let text = '';
          for await (const chunk of reply.chunks()) {
            text += chunk;
            const end = text.indexOf('\n\n', text.indexOf('data:'));
            if (!text.includes('data:') || end < 0) continue;
            yield text.slice(0, end + 2);
            if (resumed.length === 1) throw new Error('the line broke');
            yield 'id: 99\nevent: half';
            return;
          }
        },
      };
    };
    const client = createClient(breaking, { retryDelay: () => 1 });
    for (const name of ['One', 'Two', 'Three'])
      await clientOf(surface).call('createAgent', { body: { name } });
    const done = new AbortController();
    const seen: number[] = [];
    for await (const event of client.stream('events', { after: 0 }, done.signal)) {
      seen.push(event.seq);
      if (seen.length === 3) done.abort();
    }
    const [first = 0, second = 0] = seen;
    expect(seen).toEqual([first, first + 1, first + 2]);
    expect(resumed).toEqual([undefined, String(first), String(second)]);
  });

  it('fails at once without a hub or without access', async () => {
    await using surface = await serveSurface();
    const refused = createClient(fetchTransport({ url: 'http://127.0.0.1:9', token: '' })).stream(
      'events',
      {},
    );
    await expect(refused[Symbol.asyncIterator]().next()).rejects.toThrow('fetch failed');
    const stranger = createClient(fetchTransport({ url: surface.url, token: 'no' })).stream('events', {});
    await expect(stranger[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('ends quietly when aborted, also while it waits to reconnect', async () => {
    let opened = 0;
    await using surface = await serveSurface({
      operations: ({ operations }) => ({
        events(...args) {
          opened += 1;
          return operations.events(...args);
        },
      }),
    });
    const done = new AbortController();
    const events = clientOf(surface, { retryDelay: () => 60_000 }).stream('events', {}, done.signal);
    const next = events[Symbol.asyncIterator]().next();
    await expect.poll(() => opened).toBe(1);
    await surface.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    done.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  it('that ends is not reopened, and its errors are thrown', async () => {
    const start: SyncEvent = { type: 'start', sources: ['filesystem:docs'], dryRun: false };
    const opened: unknown[] = [];
    await using surface = await serveSurface({
      operations: () => ({
        async *syncKnowledge({ body = {} }) {
          opened.push(body);
          if (body.what === 'wrong') throw new ZooError('invalid_arguments', "There is no source 'wrong'.");
          yield start;
          if (body.what === 'broken') throw new ZooError('conflict', 'Somebody else has it.', { pid: 1 });
        },
      }),
    });
    const client = clientOf(surface, { retryDelay: () => 0 });
    const all = async (what: string) => {
      const events: unknown[] = [];
      for await (const event of client.stream('syncKnowledge', { body: { what } })) events.push(event);
      return events;
    };
    expect(await all('all')).toEqual([start]);
    await expect(all('wrong')).rejects.toMatchObject({ code: 'invalid_arguments' });
    await expect(all('broken')).rejects.toMatchObject({ code: 'conflict', details: { pid: 1 } });
    expect(opened).toHaveLength(3);
  });
});
