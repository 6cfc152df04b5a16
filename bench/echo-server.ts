import { type CallToolResult, Server } from '@modelcontextprotocol/server';

/** The least that the SDK can do: one tool that answers with these bytes. */
export function createEcho(result: CallToolResult): Server {
  const server = new Server({ name: 'echo', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({
    tools: [{ name: 'echo', inputSchema: { type: 'object' } }],
  }));
  server.setRequestHandler('tools/call', () => result);
  return server;
}
