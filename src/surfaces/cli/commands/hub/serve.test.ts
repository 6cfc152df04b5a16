import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../../../../test/zoo-command.ts';

const ended = (child: {
  once(event: 'exit', listener: (code: number | null) => void): unknown;
}): Promise<number | null> => new Promise((resolve) => child.once('exit', resolve));

test('serve prints its address, a link and next steps, and exits cleanly', async () => {
  await using home = await tempHome();
  const { url, child, said } = await home.serve();
  expect(said()).toMatch(/Open the page: http:\/\/127\.0\.0\.1:\d+\/#login=/);
  expect(said().match(/^ {2}zoo agent (list|test|create)/gm)).toHaveLength(3);
  expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ status: 'ok' });
  expect((await fetch(`${url}/agents/list`)).status).toBe(401);
  const token = (await home.zoo(['token'])).out.trim();
  expect((await fetch(`${url}/agents/list`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(
    200,
  );
  expect(statSync(join(home.path, 'home', 'operator-token')).mode & 0o777).toBe(0o600);
  const code = ended(child);
  child.kill('SIGTERM');
  expect(await code).toBe(0);
  expect(existsSync(join(home.path, 'home', 'hub.json'))).toBe(false);
});

test('the link opens the page once', async () => {
  await using home = await tempHome();
  const { url } = await home.serve();
  const link = new URL((await home.zoo(['open'])).out.trim());
  expect(link.href).toMatch(/\/#login=[\w-]+$/);
  const exchange = () =>
    fetch(`${url}/api/logins/exchange`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: link.hash.replace('#login=', '') }),
    });
  expect((await exchange()).status).toBe(200);
  expect((await exchange()).status).toBe(401);
});

test('status and stop use the running hub, and report if there is none', async () => {
  await using home = await tempHome();
  expect(await home.zoo(['status'])).toMatchObject({
    code: 1,
    err: 'error: the hub is not running\nhint: `zoo serve` starts it\n',
  });
  const { url, child } = await home.serve();
  expect((await home.zoo(['status'])).out).toContain(url);
  expect(JSON.parse((await home.zoo(['status', '--json'])).out)).toMatchObject({
    running: true,
    url,
    pid: child.pid,
  });
  const code = ended(child);
  expect(await home.zoo(['stop'])).toMatchObject({ code: 0, out: `Stopped the hub (pid ${child.pid})\n` });
  expect(await code).toBe(0);
  expect(await home.zoo(['stop'])).toMatchObject({ code: 1 });
});

test('a second hub on the same home is refused, with the address of the first', async () => {
  await using home = await tempHome();
  const { url, child } = await home.serve();
  const second = await home.zoo(['serve', '--port', '0']);
  expect(second.code).toBe(1);
  expect(second.err).toContain(`already running at ${url} (pid ${child.pid})`);
});

test('a port that is taken is an error that suggests another', async () => {
  await using home = await tempHome();
  const other = createServer();
  const port = await new Promise<number>((resolve) => {
    other.listen(0, '127.0.0.1', () => {
      const address = other.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  const { code, err } = await home.zoo(['serve', '--no-open', '--port', String(port)]);
  other.close();
  expect(code).toBe(1);
  expect(err).toContain(`port ${port} on 127.0.0.1 is taken`);
  expect(err).toContain('--port');
});

test('without tokens it listens on this machine only, with a warning', async () => {
  await using home = await tempHome();
  expect(await home.zoo(['serve', '--no-auth', '--host', '0.0.0.0', '--port', '0'])).toMatchObject({
    code: 2,
  });
  const { url, said } = await home.serve(['--no-auth']);
  expect(said()).toContain('warning: with --no-auth');
  expect((await fetch(`${url}/agents/list`)).status).toBe(200);
});

test('it listens at [server] bind', async () => {
  await using home = await tempHome();
  writeFileSync(join(home.work, 'zoo.toml'), '[server]\nbind = "localhost:0"\n');
  const child = home.start(['serve', '--no-open']);
  const said = await new Promise<string>((resolve) => {
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('Ctrl-C')) resolve(text);
    });
  });
  expect(said).toMatch(/running at http:\/\/localhost:\d+/);
});

test('problems and missing trust of the workspace are reported at the start', async () => {
  await using home = await tempHome({
    'zoo.toml': '[agents.script.inc]\npath = "inc.lua"\n\n[agents.x]\nsytem_prompt = "typo"\n',
    'inc.lua': 'return {}',
  });
  const { said } = await home.serve();
  await expect.poll(said).toContain('Approve it with `zoo trust`.');
  expect(said()).toMatch(/zoo\.toml:5: warning: .*sytem_prompt/);
  expect(await home.zoo(['trust'])).toMatchObject({
    code: 1,
    out: expect.stringContaining('script-agent inc\n      inc.lua'),
  });
  expect(await home.zoo(['trust', '--yes'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('Approved.'),
  });
  expect(await home.zoo(['trust', '--revoke'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('is not approved'),
  });
});

test('zoo events shows a change by another command', async () => {
  await using home = await tempHome();
  await home.serve();
  const child = home.start(['events', '--json']);
  let seen = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (seen += text));
  // Give the stream time to open: it only has events from then on.
  await expect
    .poll(
      async () => {
        await home.zoo(['current', 'guide']);
        return seen;
      },
      { interval: 300 },
    )
    .toContain('"type":"current-changed"');
  const code = ended(child);
  child.kill('SIGINT');
  expect(await code).toBe(0);
});

test('the log is shown, filtered and followed', async () => {
  await using home = await tempHome();
  expect(await home.zoo(['logs'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('no log yet'),
  });
  await home.serve();
  expect((await home.zoo(['logs'])).out).toMatch(/info {2}serving url=http/);
  expect((await home.zoo(['logs', '--level', 'error'])).out).toBe('');
  expect(JSON.parse((await home.zoo(['logs', '--json', '-n', '1'])).out)).toMatchObject({ level: 'info' });
  expect(readFileSync(join(home.path, 'home', 'logs', 'hub.log'), 'utf8')).not.toMatch(/zoo_[\w-]{20}/);
});
