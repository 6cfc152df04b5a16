import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempHome } from '../zoo-command.ts';

it('a config outside of the working folder is used, by --config and by ZOO_CONFIG', async () => {
  await using home = await tempHome({ 'zoo.toml': '[agents.here]\nsystem_prompt = "here"\n' });
  const elsewhere = join(home.path, 'elsewhere');
  await mkdir(elsewhere);
  const file = join(elsewhere, 'team.toml');
  await writeFile(file, '[agents.there]\nsystem_prompt = "there"\n');
  for (const tested of [
    await home.program(['agent', 'test', 'there', '--config', file]),
    await home.program(['agent', 'test', 'there'], { env: { ZOO_CONFIG: file } }),
  ]) {
    expect(tested.err).toBe('');
    expect(tested.out).toContain('there');
  }
  const other = await home.program(['agent', 'test', 'here', '--config', file]);
  expect(other.code).not.toBe(0);
});

it('a hub that was started with such a config serves it to callers from its folder', async () => {
  await using home = await tempHome();
  const file = join(home.path, 'team.toml');
  await writeFile(file, '[agents.there]\nsystem_prompt = "there"\n');
  await home.serve(['--config', file]);
  expect((await home.program(['agent', 'test', 'there'])).out).toContain('there');
});
