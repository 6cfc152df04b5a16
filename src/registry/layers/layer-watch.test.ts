import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { tempLayers } from '../../../test/temp-layers.ts';
import { tempFolder } from '../../../test/temp-folder.ts';
import { someRoundWithin } from '../../../test/some-round-within.ts';
import { approveTrust } from '../../platform/trust/trust.ts';

/** A watched workspace with these files. */
async function watched(files: Record<string, string> = {}, path = '.') {
  const layers = await tempLayers(files);
  const logged: unknown[] = [];
  const layer = await layers.open({
    folder: join(layers.folder.path, path),
    env: {},
    watch: true,
    log: (...args) => logged.push(args),
  });
  let changes = 0;
  layer.onChange(() => changes++);
  const prompts = () =>
    Object.fromEntries(layer.current().agents.map(({ agent }) => [agent.id, agent.systemPrompt]));
  // Wait until the watcher is ready: earlier changes are found by its initial reload instead.
  await sleep(300);
  return { ...layers, layer, logged, changes: () => changes, prompts };
}

const toml = (id: string, prompt: string) => `[agents.${id}]\nsystem_prompt = "${prompt}"\n`;
const markdown = (name: string, prompt: string) => `---\nname: ${name}\n---\n${prompt}\n`;

test('a config change is served within a second', async () => {
  await using it = await watched({ 'zoo.toml': toml('a', '1') });
  await someRoundWithin(1000, async (n) => {
    const version = `new ${n}`;
    await it.folder.replace('zoo.toml', toml('a', version));
    await expect.poll(it.prompts).toEqual({ a: version });
    expect(it.changes()).toBe(n + 1);
  });
});

test('an atomic save, a deletion and a re-creation are noticed', async () => {
  await using it = await watched({ 'zoo.toml': toml('a', '1'), '.claude/agents/m.md': markdown('m', '1') });
  for (const version of ['2', '3']) {
    await it.folder.write('zoo.toml.tmp', toml('a', version));
    await rename(join(it.folder.path, 'zoo.toml.tmp'), join(it.folder.path, 'zoo.toml'));
    await expect.poll(it.prompts).toEqual({ a: version, m: version === '2' ? '1' : '2' });
    await it.folder.write('.claude/agents/.m.md.swp', markdown('m', version));
    await rename(
      join(it.folder.path, '.claude/agents/.m.md.swp'),
      join(it.folder.path, '.claude/agents/m.md'),
    );
    await expect.poll(it.prompts).toEqual({ a: version, m: version });
  }
  await rm(join(it.folder.path, 'zoo.toml'));
  await expect.poll(it.prompts).toEqual({ m: '3' });
  await it.folder.write('zoo.toml', toml('a', 'again'));
  await expect.poll(it.prompts).toEqual({ a: 'again', m: '3' });
});

test('notices a new config, and one that takes precedence over it', async () => {
  await using it = await watched();
  await it.folder.write('ctx.toml', toml('c', '1'));
  await expect.poll(it.prompts).toEqual({ c: '1' });
  await it.folder.write('zoo.toml', toml('z', '1'));
  await expect.poll(it.prompts).toEqual({ z: '1' });
  await rm(join(it.folder.path, 'zoo.toml'));
  await expect.poll(it.prompts).toEqual({ c: '1' });
});

test('folders that are created later are noticed, however deep', async () => {
  await using it = await watched({ 'zoo.toml': '' });
  await it.folder.write('.claude/agents/team/deep/d.md', markdown('d', '1'));
  await expect.poll(it.prompts).toEqual({ d: '1' });
  await it.folder.write('agents/e.md', markdown('e', '1'));
  await expect.poll(it.prompts).toEqual({ d: '1', e: '1' });
  await it.folder.write('.claude/agents/team/deep/d.md', markdown('d', '2'));
  await expect.poll(it.prompts).toEqual({ d: '2', e: '1' });
  await rm(join(it.folder.path, '.claude'), { recursive: true });
  await expect.poll(it.prompts).toEqual({ e: '1' });
  await it.folder.write('.claude/agents/f.md', markdown('f', '1'));
  await expect.poll(it.prompts).toEqual({ f: '1', e: '1' });
});

test('a folder that the config adds is watched', async () => {
  await using it = await watched({ 'zoo.toml': '' });
  await it.folder.write('zoo.toml', '[markdown]\nfolders = ["people/here"]\n');
  await expect.poll(() => it.layer.current().diagnostics.length).toBe(1);
  await it.folder.write('people/here/p.md', markdown('p', '1'));
  await expect.poll(it.prompts).toEqual({ p: '1' });
});

test('a workspace folder may be missing, created, deleted and created again', async () => {
  await using it = await watched({}, 'config/zoo');
  for (const version of ['1', '2']) {
    await mkdir(join(it.folder.path, 'config/zoo'), { recursive: true });
    await it.folder.write('config/zoo/zoo.toml', toml('a', version));
    await expect.poll(it.prompts).toEqual({ a: version });
    await rm(join(it.folder.path, 'config'), { recursive: true });
    await expect.poll(it.prompts).toEqual({});
  }
});

test('link targets are watched too, and cycles of links are harmless', async () => {
  await using dotfiles = await tempFolder({ 'zoo.toml': toml('a', '1') });
  await using it = await watched({
    '.claude/agents/sub/m.md': markdown('m', '1'),
    'real/r.md': markdown('r', '1'),
  });
  await symlink(join(dotfiles.path, 'zoo.toml'), join(it.folder.path, 'zoo.toml'));
  await symlink('..', join(it.folder.path, '.claude/agents/sub/up'));
  await symlink(join(it.folder.path, 'real'), join(it.folder.path, '.claude/agents/linked'));
  await expect.poll(it.prompts).toEqual({ a: '1', r: '1', m: '1' });
  await sleep(300);
  await dotfiles.write('zoo.toml', toml('a', '2'));
  await expect.poll(it.prompts).toEqual({ a: '2', r: '1', m: '1' });
  await it.folder.write('real/r.md', markdown('r', '2'));
  await expect.poll(it.prompts).toEqual({ a: '2', r: '2', m: '1' });
});

test('a link out of an untrusted workspace is neither read nor watched', async () => {
  await using elsewhere = await tempFolder({ 'o.md': markdown('o', '1') });
  await using it = await watched({ '.claude/x': '' });
  await symlink(elsewhere.path, join(it.folder.path, '.claude/agents'));
  await expect.poll(() => it.layer.current().trust.state).toBe('untrusted');
  await sleep(300);
  const changes = it.changes();
  await elsewhere.write('p.md', markdown('p', '1'));
  await sleep(300);
  expect(it.changes()).toBe(changes);
  await expect.poll(it.prompts).toEqual({});
  await rm(join(it.folder.path, '.claude/agents'));
  await it.folder.write('.claude/agents/i.md', markdown('i', '1'));
  await expect.poll(it.prompts).toEqual({ i: '1' });
});

test('a changed script loses its approval', async () => {
  await using it = await watched({
    'zoo.toml': '[agents.script.s]\npath = "agents/s.lua"\n',
    'agents/s.lua': '1',
  });
  const state = () => it.layer.current().trust.state;
  const approve = async () => {
    const { trust } = it.layer.current();
    await approveTrust(it.database, trust, trust.hash, new Date());
    await it.layer.reload();
    expect(state()).toBe('trusted');
  };
  await approve();
  await it.folder.write('agents/s.lua', '2');
  await expect.poll(state).toBe('changed');
  await approve();
  await it.folder.write('agents/lib/loaded.lua', '1');
  await expect.poll(state).toBe('changed');
});

test('a broken file is reported while the last good version is served, and recovers', async () => {
  await using it = await watched({ 'zoo.toml': toml('a', '1') });
  await it.folder.write('zoo.toml', '[agents.a');
  await expect.poll(() => it.layer.current().diagnostics.map(({ code }) => code)).toEqual(['syntax']);
  await expect.poll(it.prompts).toEqual({ a: '1' });
  await it.folder.write('zoo.toml', toml('a', '2'));
  await expect.poll(it.prompts).toEqual({ a: '2' });
  expect(it.layer.current().diagnostics).toEqual([]);
});

test('unchanged and unrelated files cause no notification', async () => {
  await using it = await watched({ 'zoo.toml': toml('a', '1') });
  await it.folder.replace('zoo.toml', toml('a', '1'));
  await it.folder.write('src/zoo.toml', toml('b', '1'));
  await it.folder.write('notes.md', markdown('n', '1'));
  await sleep(400);
  await it.layer.reload();
  expect(it.changes()).toBe(0);
});

test('a burst of changes ends in the last state', async () => {
  await using it = await watched({ 'zoo.toml': '' });
  const reloads = Array.from({ length: 20 }, async (_, n) => {
    await it.folder.write(`agents/n${n}.md`, markdown(`n${n}`, String(n)));
    await it.layer.reload();
  });
  await Promise.all(reloads);
  expect(it.layer.current().agents).toHaveLength(20);
});

test('failing listeners and files deleted while being read do not stop the watch', async () => {
  await using it = await watched({ 'zoo.toml': toml('a', '1') });
  it.layer.onChange(() => {
    throw new Error('listener');
  });
  await it.folder.write('zoo.toml', toml('a', '2'));
  await expect.poll(it.prompts).toEqual({ a: '2' });
  expect(it.logged).toHaveLength(1);
  await it.folder.write('zoo.toml', toml('a', '3'));
  await expect.poll(it.prompts).toEqual({ a: '3' });
});
