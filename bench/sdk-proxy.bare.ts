import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';

/** The SDK's server in front of the SDK's clients, and nothing else: what any hub made of it costs at least. */
const [program = '', url = ''] = process.argv.slice(2);

async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'proxy', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
  await client.connect(transport);
  return client;
}

const clients = {
  stdio: connect(new StdioClientTransport({ command: process.execPath, args: [program] })),
  http: connect(new StreamableHTTPClientTransport(new URL(url))),
};
const toolDefinition = { name: 'echo', inputSchema: { type: 'object' as const } };
const handler = createMcpHandler(() => {
  const server = new Server({ name: 'proxy', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args } }) => {
    const client = await clients[name.startsWith('stdio') ? 'stdio' : 'http'];
    return client.callTool({ name: 'echo', arguments: args }, { toolDefinition });
  });
  return server;
});
const handle = getRequestListener((request) => handler.fetch(request));
const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`);
});
