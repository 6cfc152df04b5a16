import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { PATIENCE } from '../patience.ts';
import { tempHome } from '../zoo-command.ts';
import { serving } from './ask-hub.ts';

const outsider = (tools: string) => `---\nname: outsider\ndescription: d\ntools: ${tools}\n---\nHi\n`;

it('agents of an outside folder are listed with their tools before the approval, and asked about when these change', async () => {
  await using home = await tempHome({ 'zoo.toml': '[markdown]\nfolders = ["../elsewhere"]\n' });
  const elsewhere = join(home.path, 'elsewhere');
  await mkdir(elsewhere);
  const define = (tools: string) => writeFile(join(elsewhere, 'outsider.md'), outsider(tools));
  await define('agent_zoo_create_brain_entry');
  const ask = await serving(home);
  const entry = { agentId: 'outsider', type: 'note', content: 'x' };
  const write = async () =>
    (await ask('POST', '/tools/agent_zoo_create_brain_entry?agent=outsider', { body: entry })).status;
  expect(await write()).toBe(404);
  const { out } = await home.zoo(['trust']);
  expect(out).toContain('outside-folder');
  expect(out).toMatch(/agent-tools outsider\n\s+agent_zoo_create_brain_entry/);
  await home.zoo(['trust', '--yes']);
  expect(await write()).toBe(200);

  await define('"*"');
  await vi.waitFor(async () => expect(await write()).toBe(404), PATIENCE);
  expect((await home.zoo(['trust'])).out).toContain('has changed since you approved it');
});

it('an outside folder of any size delays nobody, and what is not listed is not served either', async () => {
  await using home = await tempHome({
    'zoo.toml': '[markdown]\nfolders = ["../elsewhere"]\n[agents.a]\nsystem_prompt = "x"\n',
  });
  const elsewhere = join(home.path, 'elsewhere');
  await mkdir(elsewhere);
  execFileSync('sh', ['-c', 'seq 10000 15010 | xargs touch'], { cwd: elsewhere });
  await writeFile(join(elsewhere, 'a.md'), outsider('"*"'));
  expect((await home.program(['agent', 'list'])).out).toContain('a');
  const { out } = await home.program(['trust', '--yes']);
  expect(out).toContain('outside-folder');
  expect(out).not.toContain('outsider');
  expect((await home.program(['agent', 'show', 'outsider'])).code).not.toBe(0);
  expect((await home.program(['config', 'check'])).out).toContain('more than 5,000 entries');
});
