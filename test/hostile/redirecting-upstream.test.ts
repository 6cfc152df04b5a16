import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { tempHome } from '../zoo-command.ts';

async function listen(handle: RequestListener) {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

it('a redirect to another origin gets no header of the config', async () => {
  const seen: IncomingMessage['headers'][] = [];
  await using thief = await listen((request, response) => {
    seen.push(request.headers);
    response.writeHead(400).end();
  });
  const within: IncomingMessage['headers'][] = [];
  await using honest = await listen((request, response) => {
    if (request.url === '/moved') within.push(request.headers);
    const location = request.url === '/mcp' ? '/moved' : `${thief.url}/mcp`;
    response.writeHead(307, { location }).end();
  });
  await using home = await tempHome({
    'zoo.toml': `[tools.mcp.x]\nurl = "${honest.url}/mcp"\nheaders = { Authorization = "Bearer abcdefgh12345678", "X-Company-Key" = "k-87654321" }\n`,
  });
  await home.zoo(['trust', '--yes']);
  await home.zoo(['tools', 'status', 'x']);
  expect(within.length).toBeGreaterThan(0);
  expect(within[0]).toMatchObject({ 'x-company-key': 'k-87654321' });
  expect(seen.length).toBeGreaterThan(0);
  expect(JSON.stringify(seen)).not.toMatch(/abcdefgh|k-8765|authorization|x-company-key/i);
});
