import { existsSync, readFileSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOperatorToken } from '../../src/platform/home/access.ts';
import { FIXTURE, isAlive } from '../upstreams/upstream-servers.ts';
import { tempHome } from '../zoo-command.ts';

/** Notes that it ran, then serves. */
const code = (who: string): string => `
import { appendFileSync } from 'node:fs';
appendFileSync(process.env.RAN, ${JSON.stringify(`${who}\n`)});
`;
const serving = `
process.argv.splice(2, process.argv.length, 'legacy', '{}');
await import(${JSON.stringify(FIXTURE)});
`;

interface Stage {
  file: string;
  /** More keys of the server. */
  more?: string;
  env?: Record<string, string>;
}

async function stage({ file, more = '', env = {} }: Stage) {
  const home = await tempHome();
  const ran = join(home.path, 'ran');
  const table = { RAN: ran, ...env };
  const vars = Object.entries(table).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  await home.write(
    'zoo.toml',
    `[tools.mcp.x]\ncommand = "node"\nargs = [${JSON.stringify(file)}]\nidle_seconds = 0.1\nenv = { ${vars.join(', ')} }\n${more}`,
  );
  const helper = join(file, '..', 'lib/helper.mjs');
  await home.write(file, `${code('approved')}import './lib/helper.mjs';${serving}`);
  await home.write(helper, '');
  return {
    home,
    helper,
    async serve() {
      const { url } = await home.serve();
      const token = readOperatorToken(join(home.path, 'home')) ?? '';
      return async (): Promise<{ status: number; text: string }> => {
        const answer = await fetch(`${url}/tools/x__who`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: '{}',
        });
        return { status: answer.status, text: await answer.text() };
      };
    },
    ran: (): string[] => (existsSync(ran) ? readFileSync(ran, 'utf8').trim().split('\n') : []),
    forget: () => rmSync(ran, { force: true }),
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}

describe('an approved upstream server', () => {
  it.each([
    ['the script itself', 'tools/server.mjs', 'tools/server.mjs'],
    ['an imported file', 'tools/server.mjs', 'tools/lib/helper.mjs'],
    ['an imported file below the top folder', 'server.mjs', 'lib/helper.mjs'],
    ['a new file beside it', 'tools/server.mjs', 'tools/package.json'],
  ])('does not start after a change of %s', async (_what, file, changed) => {
    await using staged = await stage({ file });
    const { home } = staged;
    expect((await home.zoo(['trust', '--yes'])).code).toBe(0);
    const call = await staged.serve();
    const answer = await call();
    expect(answer).toMatchObject({ status: 200, text: expect.anything() });
    expect(new Set(staged.ran())).toEqual(new Set(['approved']));
    // Idle servers stop; the next call starts this one again.
    const pid = Number(/\d+/.exec(answer.text)?.[0]);
    await expect.poll(() => isAlive(pid)).toBe(false);
    staged.forget();
    const evil = changed.endsWith('.json')
      ? '{ "type": "module" }'
      : `${code('evil')}${changed === file ? serving : ''}`;
    await home.write(changed, evil);
    const refused = await call();
    expect(refused).toMatchObject({ status: 403 });
    expect(refused.text).toContain('untrusted');
    expect(staged.ran()).not.toContain('evil');
    const trust = await home.zoo(['trust']);
    expect(trust.out).not.toContain('is trusted');
    // Once approved again, it runs.
    expect((await home.zoo(['trust', '--yes'])).code).toBe(0);
    expect(await call()).toMatchObject({ status: 200, text: expect.anything() });
  });

  it.skipIf(process.platform === 'win32')('cannot swap its program through its own PATH', async () => {
    await using staged = await stage({ file: 'server.mjs', env: { PATH: 'bin:/usr/bin:/bin' } });
    const { home } = staged;
    await home.write('bin/node', '#!/bin/sh\necho evil >> "$RAN"\n');
    await chmod(join(home.work, 'bin/node'), 0o755);
    expect((await home.zoo(['trust', '--yes'])).code).toBe(0);
    const call = await staged.serve();
    expect(await call()).toMatchObject({ status: 200, text: expect.anything() });
    expect(staged.ran()).not.toContain('evil');
  });

  it('is shown with its environment, folder and headers before it is approved', async () => {
    await using staged = await stage({
      file: 'server.mjs',
      more: 'cwd = "elsewhere"\n[tools.mcp.y]\nurl = "https://example.com/mcp"\nheaders = { Authorization = "Bearer ${TOKEN}" }\n',
      env: { PATH: 'evil-bin' },
    });
    const { out, err } = await staged.home.zoo(['trust']);
    const shown = (out + err).replaceAll(/\s+/g, ' ');
    expect(shown).toContain('env PATH=evil-bin');
    expect(shown).toContain('cwd elsewhere');
    expect(shown).toContain('header Authorization: Bearer ${TOKEN}');
  });
});
