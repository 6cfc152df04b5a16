import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call, stage } from '../mcp/mcp-clients.ts';
import { startOAuthServer } from './oauth-server.ts';
import { startHub } from '../start-hub.ts';
import { toolsWith } from './upstream-servers.ts';
import { tempHome } from '../zoo-command.ts';

const configFor = (url: string): string => `[tools.mcp.private]\nurl = "${url}"\n`;

describe('a server that requires a sign-in', () => {
  it('works after one sign-in, also when tokens expire', async () => {
    await using server = await startOAuthServer();
    await using opened = await stage(
      { transport: 'http', era: 'modern' },
      { 'zoo.toml': configFor(server.url) },
      { trustAll: true },
    );
    const { hub } = opened;
    const status = async () => (await hub.request('GET', '/api/upstreams')).body.upstreams[0];
    const checked = await hub.request('POST', '/api/upstreams/check');
    expect(checked.body.upstreams[0]).toMatchObject({ state: 'failed', tools: null });
    expect(checked.body.upstreams[0].error).toContain('requires authentication (401)');
    expect(server.asked).toEqual([]);

    const begun = await hub.request('POST', '/api/upstreams/private/login');
    expect(begun.body).toMatchObject({ state: 'waiting', error: null });
    const foreign = new URL(begun.body.url);
    foreign.searchParams.set('state', 'somebody-elses');
    expect((await fetch(foreign)).status).toBe(404);
    expect((await fetch(begun.body.url)).status).toBe(200);
    expect((await hub.request('GET', '/api/upstreams/private/login')).body).toMatchObject({ state: 'done' });
    await toolsWith(opened.client, 'private__secret');
    expect((await call(opened.client, 'private__secret')).text).toBe('for members');

    server.expire();
    expect((await call(opened.client, 'private__secret')).text).toBe('for members');
    expect(server.asked.filter((each) => each === 'token refresh_token')).toHaveLength(1);

    const [file = ''] = readdirSync(join(hub.home, 'logins'));
    const path = join(hub.home, 'logins', file);
    expect(readFileSync(path, 'utf8')).toContain(server.tokens.at(-1));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const told = JSON.stringify([checked.body, begun.body, await status()]);
    for (const token of server.tokens) expect(told).not.toContain(token);

    server.revoke();
    const refused = await call(opened.client, 'private__secret');
    expect(refused).toMatchObject({ isError: true });
    expect(refused.text).toContain('zoo tools login private');

    await hub.request('DELETE', '/api/upstreams/private/login');
    expect(readdirSync(join(hub.home, 'logins'))).toEqual([]);
  });

  it('refuses a sign-in at programs, untrusted servers and unknown names', async () => {
    const config = `${configFor('http://127.0.0.1:1/mcp')}[tools.mcp.program]\ncommand = "node"\n`;
    await using trusted = await startHub({ 'zoo.toml': config }, { trustAll: true });
    expect((await trusted.request('POST', '/api/upstreams/program/login')).status).toBe(400);
    expect((await trusted.request('POST', '/api/upstreams/other/login')).status).toBe(404);
    await using untrusted = await startHub({ 'zoo.toml': config });
    expect((await untrusted.request('POST', '/api/upstreams/private/login')).status).toBe(403);
  });

  it('can be signed in at from the command line', async () => {
    await using server = await startOAuthServer();
    await using home = await tempHome({ 'zoo.toml': configFor(server.url) });
    await home.inProcess(['trust', '--yes']);
    const child = home.start(['tools', 'login', 'private']);
    const said = { out: '', err: '' };
    child.stdout?.on('data', (text) => (said.out += String(text)));
    await new Promise<void>((resolve) => {
      child.stderr?.on('data', (text) => {
        said.err += String(text);
        const url = /http:\S+authorize\S+/.exec(said.err)?.[0];
        if (url) resolve(fetch(url).then(() => undefined));
      });
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect({ code, out: said.out }).toEqual({ code: 0, out: 'Signed in to private.\n' });
    const listed = JSON.parse((await home.inProcess(['tools', 'status', '--json'])).out);
    expect(listed.upstreams[0]).toMatchObject({ tools: 1, era: 'modern' });
  });
});
