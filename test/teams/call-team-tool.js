import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

let calls = 0;

/**
 * Calls a tool of an MCP server as a client of the newest revision does.
 * @param {string} url @param {Record<string, string>} headers @param {string} name @param {unknown} args
 */
export async function callTool(url, headers, name, args) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'fake', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: ++calls,
      method: 'tools/call',
      params: { name, arguments: args, _meta: meta },
    }),
  });
  /** @type {any} */
  const { result, error } = await response.json();
  return (
    result?.structuredContent ?? { error: result?.content?.[0]?.text ?? error?.message ?? response.status }
  );
}

/** @type {Promise<Client> | undefined} */
let started;

/**
 * Calls a tool of an MCP server that is a program, which is started once.
 * @param {{ command: string, args: string[], env: Record<string, string> }} server
 * @param {string} name @param {Record<string, unknown>} args
 */
export async function callToolOverStdio({ command, args: words, env }, name, args) {
  started ??= (async () => {
    const client = new Client({ name: 'fake', version: '1' });
    await client.connect(new StdioClientTransport({ command, args: words, env }));
    return client;
  })();
  /** @type {any} */
  const { structuredContent, content } = await (await started).callTool({ name, arguments: args });
  return structuredContent ?? { error: content?.[0]?.text };
}
