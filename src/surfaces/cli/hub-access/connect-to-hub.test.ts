import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../../../test/zoo-command.ts';
import type { Outcome } from '../../../../test/zoo-command.ts';

const files = {
  'zoo.toml': `[agents.code-reviewer]
description = "Reviews code changes against project conventions"
tools = ["search", "get"]
system_prompt = "You review {{what}}."

[[agents.code-reviewer.arguments]]
name = "what"
required = true

[agents.guide]
description = "Loses to the editor"
sytem_prompt = "typo"
`,
  'prompt.md': 'You are terse.\n',
};

const session: string[][] = [
  ['agent', 'list'],
  ['agent', 'list', '--json'],
  ['agent', 'list', '--source', 'toml', '--tool', 'search', '--mode', 'interactive'],
  ['agent', 'show', 'code-reviewer'],
  ['agent', 'show', 'code-reviwer'],
  ['agent', 'show', '..'],
  ['agent', 'test', 'code-reviewer', '--arg', 'what=a=b & c', '--receipt'],
  ['agent', 'test', 'code-reviewer'],
  ['agent', 'create', '--name', 'Über Prüfer', '--tool', 'search', '--system-prompt-file', 'prompt.md'],
  ['agent', 'create', '--name', 'x', '--id', 'no spaces'],
  ['agent', 'create', '--template', 'code-reviewer', '--id', 'mine', '--json'],
  ['agent', 'create', '--template', 'nothing'],
  ['agent', 'edit', 'mine', '--set', 'description=Other', '--set', 'tools=null'],
  ['agent', 'edit', 'mine', '--set', 'mode=sideways'],
  ['agent', 'edit', 'code-reviewer', '--set', 'name=x'],
  ['agent', 'history', 'mine', '--json'],
  ['agent', 'history', 'code-reviewer'],
  ['agent', 'diff', 'mine'],
  ['agent', 'diff', 'mine', '1', '9'],
  ['agent', 'restore', 'mine', '1'],
  ['agent', 'clone', 'mine', '--name', 'Twin'],
  ['agent', 'clone', 'mine', '--id', 'mine'],
  ['agent', 'rm', 'mine'],
  ['agent', 'rm', 'mine'],
  ['agent', 'list', '--deleted'],
  ['agent', 'undelete', 'mine'],
  ['agent', 'export', 'mine', '--format', 'toml'],
  ['brain', 'add', 'guide', 'We deploy on Fridays', '--tag', 'ops', '--tag', 'a,b', '--pin'],
  ['brain', 'list', 'guide', '--tag', 'ops', '--pinned'],
  ['brain', 'list', 'guide', '--from', 'yesterday'],
  ['brain', 'show', 'guide', 'nothing'],
  ['current'],
  ['current', 'guide'],
  ['current'],
  ['current', 'nobody'],
  ['current', '--clear', '--json'],
  ['trust'],
  ['trust', '--list', '--json'],
  ['config', 'check'],
  ['template', 'list'],
  ['token', 'create', '--agent', 'guide', '--label', 'ci'],
  ['token', 'list'],
  ['token', 'rm', 'nothing'],
  ['__complete', 'agents'],
];

/** Replaces values that differ between two homes: paths, times and random ids. */
function comparable({ code, out, err }: Outcome, path: string): Outcome {
  const plain = (text: string): string =>
    text
      .replaceAll(path, '~home')
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::[\d.]+Z)?/g, 'TIME')
      .replaceAll(/<?\d+ms/g, 'Nms')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UUID')
      .replaceAll(/token rm [0-9a-f]{8}\b/g, 'token rm UUID')
      .replaceAll(/zoo_agent_[\w-]{43}/g, 'TOKEN')
      .replaceAll(/work-[0-9a-f]{8}/g, 'WORKSPACE');
  return { code, out: plain(out), err: plain(err) };
}

test('a command prints the same with a running hub and without one', async () => {
  await using alone = await tempHome(files);
  await using served = await tempHome(files);
  await served.serve();
  for (const args of session) {
    const [own, remote] = await Promise.all([alone.zoo(args), served.zoo(args)]);
    expect({ args, ...comparable(remote, served.path) }).toEqual({ args, ...comparable(own, alone.path) });
  }
});

test('a crashed hub does not stop a command', async () => {
  await using home = await tempHome();
  await home.program(['token']);
  const hub = {
    pid: process.pid,
    url: 'http://127.0.0.1:1',
    version: '0.1.0',
    startedAt: new Date().toISOString(),
  };
  writeFileSync(join(home.path, 'home', 'hub.json'), JSON.stringify(hub));
  expect(await home.program(['agent', 'list'])).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringContaining('guide'),
  });
  expect(await home.program(['status'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('the hub is not running'),
  });
});

test('--config applies with and without a running hub', async () => {
  await using home = await tempHome({ 'other.toml': '[agents.other]\nsystem_prompt = "Other"\n' });
  await home.serve();
  const { out } = await home.zoo(['agent', 'list', '--config', 'other.toml']);
  expect(out).toContain('  other ');
});

test('each folder sees its own agents through one hub', async () => {
  await using home = await tempHome({
    'a/zoo.toml': '[agents.same]\ndescription = "In A"\nsystem_prompt = "A"\n',
    'b/zoo.toml': '[agents.same]\ndescription = "In B"\nsystem_prompt = "B"\n',
  });
  await home.serve();
  const [a, b] = await Promise.all(
    ['a', 'b'].map((folder) => home.zoo(['agent', 'test', 'same', '--workspace', folder])),
  );
  expect(a?.out).toContain('\n  A\n');
  expect(b?.out).toContain('\n  B\n');
});
