import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../zoo-command.ts';

test('doctor reports failed upstream servers, missing source folders and an open home', async () => {
  await using home = await tempHome({
    'zoo.toml':
      '[connectors.filesystem.gone]\nroot = "nowhere"\n[tools.mcp.broken]\ncommand = "no-such-command"\n',
  });
  await home.zoo(['trust', '--yes']);
  chmodSync(join(home.path, 'home'), 0o755);
  const { code, out } = await home.program(['doctor', '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(out).checks).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'home', state: 'warn', message: expect.stringContaining('mode 755') }),
      expect.objectContaining({
        name: 'server broken',
        state: 'fail',
        message: expect.stringContaining('no-such-command'),
        advice: 'zoo tools status broken',
      }),
      expect.objectContaining({
        name: 'source filesystem:gone',
        state: 'fail',
        message: expect.stringContaining('nowhere does not exist'),
      }),
    ]),
  );
});
