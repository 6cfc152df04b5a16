import { readdirSync, statSync, writeFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempHome } from '../../../test/zoo-command.ts';

const hasOwnCache = 'enableCompileCache' in nodeModule;

it('commands that start from kept code import chunks and modules', async () => {
  await using home = await tempHome({
    'zoo.toml': '[agents.module.m]\npath = "agents/m.ts"\n',
    'agents/m.ts': 'export default { name: "m", resolve: () => ({ system: "You are a module." }) };',
  });
  // The first one has no home to keep anything in.
  await home.zoo(['trust', '--yes']);
  const expectToWork = async () =>
    expect(await home.program(['agent', 'test', 'm'])).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('You are a module.'),
    });
  await expectToWork();
  await expectToWork();
  if (hasOwnCache) return;
  const folder = join(home.path, 'home', 'compiled');
  const kept = readdirSync(folder).map((name) => join(folder, name));
  // The command, and the local hub.
  expect(kept.map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
  for (const path of kept) writeFileSync(path, 'damaged');
  await expectToWork();
  for (const path of kept) expect(statSync(path).size).toBeGreaterThan(100_000);
});
