import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { say } from '../fake-model/script.ts';
import { findUnprinted, readSteps } from '../transcript.ts';
import { editorHome } from './editor-home.ts';

const root = join(import.meta.dirname, '..', '..');

test('zoo connect zed --acp writes an agent that zoo doctor reaches, and keeps everything else', async () => {
  await using home = await editorHome([]);
  const file = join(home.path, '.config/zed/settings.json');
  mkdirSync(join(home.path, '.config/zed'), { recursive: true });
  const before =
    '// mine\n{\n  "theme": "One Dark", // dark\n  "agent_servers": {\n    "a": { "command": "a" },\n  },\n}\n';
  writeFileSync(file, before);
  const { out, code } = await home.zoo(['connect', 'zed', '--acp', '--agent', 'helper']);
  expect({ out, code }).toEqual({ out: expect.stringContaining('agent-zoo-helper'), code: 0 });
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('// mine');
  expect(text).toContain('"theme": "One Dark", // dark');
  expect(text).toMatch(/"type": "custom"[\s\S]*"acp",\s*"helper"/);
  expect((await home.program(['doctor'])).out).toMatch(/zed acp \(user, helper\).*works as an agent/);
  expect((await home.zoo(['connect'])).out).toMatch(/zed --acp .*helper/);
  expect((await home.zoo(['connect', 'zed', '--acp', '--agent', 'helper', '--remove'])).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(before);
  const refused = await home.zoo(['connect', 'cursor', '--acp']);
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('docs/acp.md') });
});

test.skipIf(process.platform === 'win32')('the examples of docs/acp.md work', async () => {
  const steps = readSteps(await readFile(join(root, 'docs/acp.md'), 'utf8'), 'A first session');
  expect(steps).toHaveLength(2);
  await using home = await editorHome([say('Hello from the zoo.')], '');
  const bin = join(home.path, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'zoo'), `#!/bin/sh\nexec "${process.execPath}" "${root}/dist/zoo.js" "$@"\n`);
  chmodSync(join(bin, 'zoo'), 0o755);
  const env = { ...home.env, PATH: `${bin}${delimiter}${home.env['PATH']}` };
  for (const { commands, shown } of steps) {
    const printed = await run(commands, home.work, env);
    expect(shown === null ? null : findUnprinted(shown, printed)).toBe(null);
  }
  expect(home.model.problems).toEqual([]);
});

function run(script: string, cwd: string, env: Record<string, string | undefined>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', `set -e\n${script}`], { cwd, env });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    child.once('close', (code) => (code === 0 ? resolve(output) : reject(new Error(output))));
  });
}
