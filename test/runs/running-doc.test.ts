import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { startFakeModel } from '../fake-model/fake-model.ts';
import { call, lastResult, type Step } from '../fake-model/script.ts';
import { findUnprinted, readSteps } from '../transcript.ts';
import { tempHome } from '../zoo-command.ts';

const root = join(import.meta.dirname, '..', '..');

const helper: Step = (request) =>
  lastResult(request) === ''
    ? { ...call('sources'), again: true }
    : { text: 'There are no sources yet.', again: true };

it.skipIf(process.platform === 'win32')(
  'the examples of docs/running.md work',
  async () => {
    const text = await readFile(join(root, 'docs/running.md'), 'utf8');
    const steps = ['A first run', 'Chats'].flatMap((heading) =>
      readSteps(text.replaceAll(/^\|.*$/gm, ''), heading),
    );
    expect(steps.length).toBeGreaterThan(3);
    await using model = await startFakeModel([helper]);
    await using home = await tempHome();
    const bin = join(home.path, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'zoo'), `#!/bin/sh\nexec "${process.execPath}" "${root}/dist/zoo.js" "$@"\n`);
    chmodSync(join(bin, 'zoo'), 0o755);
    Object.assign(home.env, {
      PATH: `${bin}${delimiter}${home.env['PATH']}`,
      ANTHROPIC_API_KEY: 'sk-secret-key-of-tests',
      ANTHROPIC_BASE_URL: model.url,
    });
    const { url } = await home.serve(['--trust-all']);
    const wrong: string[] = [];
    for (const { commands, shown } of steps) {
      const printed = await run(`set -e\n${commands}`, home.work, { ...home.env, ZOO_URL: url });
      const missing = shown === null ? null : findUnprinted(shown, printed);
      if (missing !== null) wrong.push(`${commands}did not print ${missing} but\n${printed}`);
    }
    expect(wrong).toEqual([]);
    expect(model.problems).toEqual([]);
  },
  120_000,
);

function run(script: string, cwd: string, env: Record<string, string | undefined>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', script], { cwd, env });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0
        ? resolve(output)
        : reject(new Error(`exit ${String(code)}\n${script}\n${output}\n${errors}`)),
    );
  });
}
