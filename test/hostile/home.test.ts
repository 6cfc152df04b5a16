import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempHome } from '../zoo-command.ts';

describe.skipIf(process.platform === 'win32')('a home that other users could read', () => {
  it('is closed to them, with every file of the store', async () => {
    await using home = await tempHome();
    const folder = join(home.path, 'home');
    await mkdir(folder);
    await chmod(folder, 0o777);
    for (const name of ['zoo.db', 'zoo.db-wal', 'zoo.db-shm']) await writeFile(join(folder, name), '');
    await home.serve();
    const modes: Record<string, string> = {};
    for (const name of await readdir(folder)) {
      if (!name.startsWith('zoo.db')) continue;
      modes[name] = ((await stat(join(folder, name))).mode & 0o777).toString(8);
    }
    expect(modes).toEqual({ 'zoo.db': '600', 'zoo.db-shm': '600', 'zoo.db-wal': '600' });
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });
});

it('a program that took over the address and process id of a dead hub gets no token', async () => {
  await using home = await tempHome({ 'zoo.toml': '[agents.x]\nsystem_prompt = "hello"\n' });
  const folder = join(home.path, 'home');
  await home.zoo(['agent', 'list']);
  const heard: string[] = [];
  const impostor = createServer((request, response) => {
    heard.push(`${request.url} ${JSON.stringify(request.headers)}`);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ status: 'ok', version: '0.1.0', proof: 'a'.repeat(64) }));
  });
  await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve));
  const address = impostor.address();
  if (address === null || typeof address === 'string') throw new Error('the impostor has no port');
  const hub = {
    pid: process.pid,
    url: `http://127.0.0.1:${address.port}`,
    socket: join(folder, 'hub.sock'),
    version: '0.1.0',
    startedAt: new Date().toISOString(),
    secret: 'known to the dead hub alone',
  };
  await writeFile(join(folder, 'operator-token'), `zoo_${'t'.repeat(43)}\n`, { mode: 0o600 });
  await writeFile(join(folder, 'hub.json'), JSON.stringify(hub), { mode: 0o600 });
  try {
    // It works on its own, as if there were no hub.
    const { code, out } = await home.program(['agent', 'list']);
    expect({ code, found: out.includes('x') }).toEqual({ code: 0, found: true });
    expect(heard).toHaveLength(1);
    expect(heard.join('\n')).not.toMatch(/authorization|zoo_/i);
  } finally {
    impostor.close();
  }
});
