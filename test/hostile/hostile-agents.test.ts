import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { campaignSize } from '../campaign.ts';
import { bridging } from './bridge.ts';
import type { HostileScript } from './hostile-script.ts';
import { exceeding } from './limits.ts';
import { reaching } from './reach.ts';
import { type RunningHub, startHub } from '../start-hub.ts';

/** A search that never ends takes a host of its own, which a hub does not have. */
const possible = [...reaching, ...exceeding, ...bridging].filter(({ lua }) => !lua.includes('"hang"'));
// escape.test.ts runs every script; here they meet a whole hub.
const scripts = possible
  .map((script, index) => ({ ...script, id: `hostile-${index}` }))
  .filter((_, index) => index % campaignSize(5, 1) === 0);
const secret = 'a-canary-that-nobody-may-hear';
const atOnce = 6;

it('a hub full of hostile agents serves the others', { timeout: 600_000 }, async () => {
  let connections = 0;
  const listener = createServer((socket) => {
    connections++;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const tables = scripts.map(
    // What fills memory takes its time, and must not be mistaken for a loop on a busy machine.
    ({ id, ends }) =>
      `[agents.script.${id}]\npath = "agents/${id}.lua"\nmemory_mb = 16\ntimeout = ${'error' in ends && ends.error === 'timeout' ? 0.3 : 20}`,
  );
  const good = '[agents.script.good]\npath = "agents/good.lua"';
  const files = Object.fromEntries(
    scripts.map(({ id, lua }) => [
      `agents/${id}.lua`,
      lua
        .replaceAll('CANARY_FILE', '/etc/passwd')
        .replaceAll('CANARY_PORT', String(port))
        .replaceAll('CANARY_NAME', 'ZOO_TEST_CANARY'),
    ]),
  );
  await using hub = await startHub(
    {
      ...files,
      'zoo.toml': [good, ...tables].join('\n\n'),
      'agents/good.lua': 'return { resolve = function() return { system = "good" } end }',
      'agents/shared.lua': 'return { count = 0 }',
      'canary.txt': secret,
    },
    { trustAll: true, env: { ZOO_TEST_CANARY: secret } },
  );

  const heard: string[] = [];
  const wrong: string[] = [];
  const queue = [...scripts];
  const work = async () => {
    for (let script = queue.shift(); script; script = queue.shift()) {
      const { status, body } = await hub.request('POST', `/agents/${script.id}/prompt`, { arguments: {} });
      heard.push(JSON.stringify(body));
      if (status !== statusOf(script) && !endedWhileLoading(script, status, body))
        wrong.push(`${script.name}: ${status} ${JSON.stringify(body)}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  listener.close();
  expect(wrong).toEqual([]);
  expect(connections).toBe(0);
  expect(heard.join('\n')).not.toContain(secret);
  expect(await Promise.all(Array.from({ length: 20 }, () => resolveGood(hub)))).toEqual(
    Array.from({ length: 20 }, () => 'good'),
  );
  expect((await hub.request('GET', '/health')).status).toBe(200);
});

function statusOf({ ends, unreadable }: HostileScript): number {
  if (unreadable) return 404;
  if ('error' in ends) return ends.error === 'timeout' ? 408 : 500;
  // Most of what they answer with shows that nothing was to be had, and is no prompt.
  const { value } = ends;
  return typeof value === 'object' && value !== null && 'system' in value ? 200 : 500;
}

/** On a busy machine even the definition of a script may take longer than the short time that loops get here. */
function endedWhileLoading({ ends }: HostileScript, status: number, body: unknown): boolean {
  const isLoop = 'error' in ends && ends.error === 'timeout';
  return isLoop && status === 404 && JSON.stringify(body).includes('timed out after 0.3 s while loading');
}

async function resolveGood(hub: RunningHub): Promise<string> {
  return (await hub.request('POST', '/agents/good/prompt', { arguments: {} })).body.result.system;
}
