import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import type { ClientStatus } from '../src/contract/operations/clients.ts';
import { startHub } from './start-hub.ts';
import { tempFolder } from './temp-folder.ts';

const config = '{\n  // mine\n  "mcpServers": { "other": { "command": "x" } }\n}\n';

test('a client is found, connected to an agent and disconnected, and the rest of its file stays', async () => {
  await using user = await tempFolder();
  mkdirSync(join(user.path, '.cursor'));
  const file = join(user.path, '.cursor', 'mcp.json');
  writeFileSync(file, config);
  await using hub = await startHub({}, { env: { HOME: user.path, USERPROFILE: user.path } });
  await hub.request('POST', '/api/agents', { id: 'wizard', name: 'Wizard' });
  const cursor = async (): Promise<ClientStatus> =>
    (await hub.request('GET', '/api/clients')).body.clients.find(
      (each: ClientStatus) => each.id === 'cursor',
    );
  expect(await cursor()).toMatchObject({ installed: true, seen: [] });
  expect((await cursor()).files[0]?.connections).toEqual([]);

  const { body: entry } = await hub.request('GET', '/api/clients/cursor/entry?agent=wizard');
  expect(entry).toMatchObject({ file, name: 'agent-zoo-wizard', agent: 'wizard' });
  expect(entry.snippet).toContain('"--agent"');
  expect(entry.link).toMatch(/^cursor:/);
  expect(readFileSync(file, 'utf8')).toBe(config);

  const connected = await hub.request('POST', '/api/clients/cursor/connect', { agent: 'wizard' });
  expect(connected.body).toMatchObject({ changed: true, backup: `${file}.zoo-backup` });
  expect(readFileSync(file, 'utf8')).toContain('// mine');
  expect((await cursor()).files[0]?.connections).toEqual([
    { name: 'agent-zoo-wizard', agent: 'wizard', off: false },
  ]);
  expect((await hub.request('POST', '/api/clients/cursor/connect', { agent: 'wizard' })).body.changed).toBe(
    false,
  );
  await hub.request('POST', '/api/clients/cursor/disconnect', { agent: 'wizard' });
  expect(readFileSync(file, 'utf8')).toBe(config);

  const missing = await hub.request('POST', '/api/clients/cursor/connect', { agent: 'wizzard' });
  expect(missing.body.error.code).toBe('not_found');
  const unknown = await hub.request('GET', '/api/clients/cursr/entry');
  expect(unknown.body.error.message).toContain("Did you mean 'cursor'?");
});

test.each(['legacy', 'auto'] as const)(
  'a client is seen by the name of its handshake, with the agent it called (%s)',
  async (mode) => {
    await using user = await tempFolder();
    await using hub = await startHub({}, { env: { HOME: user.path, USERPROFILE: user.path } });
    await hub.request('POST', '/api/agents', { id: 'wizard', name: 'Wizard' });
    for (const [name, path] of [
      ['cursor-vscode', '/mcp/wizard'],
      ['homemade', '/mcp'],
    ] as const) {
      const client = new Client(
        { name, version: '1' },
        mode === 'legacy' ? {} : { versionNegotiation: { mode } },
      );
      const headers = { authorization: `Bearer ${hub.token}` };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(hub.url + path), { requestInit: { headers } }),
      );
      await client.listTools();
      await client.close();
    }
    await expect
      .poll(async () => (await hub.request('GET', '/api/clients')).body.others)
      .toMatchObject([{ name: 'homemade', agentId: null }]);
    const { body } = await hub.request('GET', '/api/clients');
    const cursor = body.clients.find((each: ClientStatus) => each.id === 'cursor');
    expect(cursor.seen).toMatchObject([{ name: 'cursor-vscode', agentId: 'wizard' }]);
  },
);
