import { describe, expect, it } from 'vitest';
import { call, stage, WAYS } from './mcp-clients.ts';
import { EVERYTHING, stdioServer } from './upstream-servers.ts';

const everything = { 'zoo.toml': stdioServer('everything', [EVERYTHING]) };

describe.each(WAYS.filter(({ transport }) => transport !== 'bridge'))('over $transport, $era', (way) => {
  it('offers the tools of a server, and passes calls on', async () => {
    await using opened = await stage(way, everything, { trustAll: true });
    const { tools } = await opened.client.listTools();
    const names = tools.map(({ name }) => name).filter((name) => name.startsWith('everything__'));
    expect(names).toContain('everything__echo');
    expect(names).toContain('everything__trigger-elicitation-request');
    expect(await call(opened.client, 'everything__echo', { message: 'hello' })).toMatchObject({
      isError: false,
      text: 'Echo: hello',
    });
  });

  it('carries a question of the server to the one who calls', async () => {
    const asked: string[] = [];
    await using opened = await stage(way, everything, {
      trustAll: true,
      client: { capabilities: { elicitation: {} } },
      prepare: (client) =>
        client.setRequestHandler('elicitation/create', async ({ params }) => {
          asked.push(params.message);
          return { action: 'accept', content: { name: 'Ada', integer: 7 } };
        }),
    });
    const { text } = await call(opened.client, 'everything__trigger-elicitation-request');
    expect(text).toContain('- Name: Ada');
    expect(text).toContain('- Favorite Integer: 7');
    expect(asked).toHaveLength(1);
  });
});
