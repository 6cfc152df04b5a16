import { once } from 'node:events';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createMcpHandler, InMemoryServerEventBus, Server } from '@modelcontextprotocol/server';
import { expect, it, vi } from 'vitest';
import { stage } from '../mcp/mcp-clients.ts';
import { toolsWith } from './upstream-servers.ts';
import { PATIENCE } from '../patience.ts';

/** A server of the newest revision over HTTP, with streams that the test can break. */
async function modernServer() {
  const names = ['first'];
  const bus = new InMemoryServerEventBus();
  const schema = { type: 'object' } as const;
  const handler = createMcpHandler(
    async () => {
      const server = new Server(
        { name: 'modern', version: '1.0.0' },
        { capabilities: { tools: { listChanged: true } } },
      );
      server.setRequestHandler('tools/list', () => ({
        tools: names.map((name) => ({ name, inputSchema: schema })),
      }));
      return server;
    },
    { legacy: 'reject', bus },
  );
  const listener = getRequestListener((request) => handler.fetch(request), { overrideGlobalObjects: false });
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    streams: () => bus.listenerCount,
    breakStreams: () => server.closeAllConnections(),
    offer: (name: string) => names.push(name),
    tell: () => bus.publish({ kind: 'tools_list_changed' }),
    async [Symbol.asyncDispose]() {
      await handler.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

it('reopens a broken notification stream, and reads missed changes', async () => {
  await using server = await modernServer();
  const config = `[tools.mcp.modern]\nurl = "${server.url}"\n`;
  const way = { transport: 'http', era: 'modern' } as const;
  await using opened = await stage(way, { 'zoo.toml': config }, { trustAll: true });
  await toolsWith(opened.client, 'modern__first');
  await vi.waitFor(() => expect(server.streams()).toBe(1), PATIENCE);
  server.breakStreams();
  await vi.waitFor(() => expect(server.streams()).toBe(0), PATIENCE);
  server.offer('missed');
  await toolsWith(opened.client, 'modern__missed');
  await expect.poll(server.streams).toBe(1);
  server.offer('told');
  server.tell();
  await toolsWith(opened.client, 'modern__told');
});
