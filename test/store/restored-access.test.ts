import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHub } from '../start-hub.ts';

test('tokens and approvals that were revoked since a backup stay revoked after its restore', async () => {
  await using hub = await startHub({ 'zoo.toml': '[tools.mcp.memory]\ncommand = "npx"\ndisabled = true\n' });
  await hub.request('POST', '/api/agents', { id: 'ada', name: 'Ada' });
  const create = async (label: string) =>
    (await hub.request('POST', '/api/tokens', { agentId: 'ada', label })).body;
  const [kept, revoked] = [await create('kept'), await create('revoked')];
  const { hash } = (await hub.request('GET', '/api/trust')).body;
  expect((await hub.request('PUT', '/api/trust', { hash })).body.state).toBe('trusted');
  const { name } = (await hub.request('POST', '/api/backups')).body;
  await hub.request('DELETE', `/api/tokens/${revoked.id}`);
  await hub.request('DELETE', '/api/trust');

  expect((await hub.request('POST', `/api/backups/${name}/restore`)).status).toBe(200);
  const statusFor = async ({ token }: { token: string }) =>
    (
      await hub.request('GET', '/tools/list?agent=ada', undefined, {
        authorization: `Bearer ${token}`,
      })
    ).status;
  expect(await statusFor(kept)).toBe(200);
  expect(await statusFor(revoked)).toBe(401);
  expect((await hub.request('GET', '/api/trust')).body.state).toBe('untrusted');
});

test('a backup is read as it is, even if it contains the text of a secret', async () => {
  const own = {
    'zoo.toml': '[tools.mcp.memory]\nurl = "https://example.com/?token=${PIN}"\ndisabled = true\n',
  };
  // Zero bytes in base64, of which every backup has many.
  await using hub = await startHub({}, { own, env: { PIN: 'AAAA' } });
  const { name } = (await hub.request('POST', '/api/backups')).body;
  const { data } = (await hub.request('GET', `/api/backups/${name}`)).body;
  const bytes = readFileSync(join(hub.home, 'backups', name));
  expect(Buffer.from(data, 'base64').equals(bytes)).toBe(true);
});
