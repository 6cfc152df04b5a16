import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** For tests: requests to a hub as the operator, by HTTP and by MCP; each answers the text of the response. */
export async function rawCaller(home: { path: string }, url: string) {
  const token = readFileSync(join(home.path, 'home', 'operator-token'), 'utf8').trim();
  const send = (path: string, body: unknown, method: string, more: Record<string, string> = {}) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...more,
      },
      body: JSON.stringify(body),
    });
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const begun = await send('/mcp', { jsonrpc: '2.0', id: 1, method: 'initialize', params }, 'POST');
  await begun.text();
  const session = {
    'mcp-session-id': begun.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': '2025-06-18',
  };
  return {
    http: async (path: string, body: unknown, method = 'POST') => (await send(path, body, method)).text(),
    mcp: async (method: string, params: unknown) =>
      (await send('/mcp', { jsonrpc: '2.0', id: 2, method, params }, 'POST', session)).text(),
  };
}
