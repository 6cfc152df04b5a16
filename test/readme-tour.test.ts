import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../src/platform/config/config.ts';
import { tempFolder, type TempFolder } from './temp-folder.ts';
import { findUnprinted, readSteps, type Step } from './transcript.ts';

const root = join(import.meta.dirname, '..');
const address = 'http://127.0.0.1:7331';

it.skipIf(process.platform === 'win32' || !isThere('bash'))(
  'the tour of the README works, word for word',
  async () => {
    const [start, ...steps] = readSteps(
      await readFile(join(root, 'README.md'), 'utf8'),
      'A tour in five minutes',
    );
    expect(start?.commands).toBe('npm start\n');
    expect(steps.length).toBeGreaterThan(6);

    await using folder = await tempFolder();
    const env = environment(folder.path);
    await mkdir(env.HOME);
    if (!isThere('curl')) env.PATH = `${await standInForCurl(folder)}${delimiter}${env.PATH}`;
    await using hub = await startHub(env);
    expectPrinted(start, hub.output(), hub.url);

    const { code, outputs } = await runSession(steps, hub.url, folder.path, env);
    for (const [index, step] of steps.entries()) {
      const output = outputs[index] ?? '';
      if (code !== 0 && index === outputs.length - 1) {
        throw new Error(`A command of the tour failed (${code}).\n\n${step.commands}\nprinted\n\n${output}`);
      }
      expectPrinted(step, output, hub.url);
    }
    expect(await hub.exitCode()).toBe(0);
  },
  120_000,
);

it.each(['README.md', 'docs/config.md', 'docs/knowledge.md'])(
  'the config in %s is valid',
  async (document) => {
    const text = await readFile(join(root, document), 'utf8');
    const examples = [...text.matchAll(/^```toml\n(.*?)^```$/gms)].map(([, example = '']) => example);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const { diagnostics } = await loadConfig(document, { text: example, serving: true });
      expect(diagnostics).toEqual([]);
    }
  },
);

describe('the check of the tour', () => {
  it('accepts what was printed, with … for what varies', () => {
    expect(findUnprinted('Saved x, revision 2\n', 'Saved x, revision 2  \n')).toBeNull();
    expect(findUnprinted('at …, pid …\n', '\nat http://localhost:1, pid 12\n\n')).toBeNull();
    expect(findUnprinted('one\n…\nfive\n', 'one\ntwo\nthree\nfive\n')).toBeNull();
    expect(findUnprinted('one\n…\n', 'one\n')).toBeNull();
    expect(findUnprinted('…\nfive\n…\n', 'five\nfive\nsix')).toBeNull();
  });

  it('reports a line that was not printed', () => {
    expect(findUnprinted('one\ntwo\n', 'one\nthree\n')).toBe('two');
    expect(findUnprinted('one\n…\nfour\n', 'one\ntwo\n')).toBe('four');
    expect(findUnprinted('(3 tokens)\n', '(33 tokens)\n')).toBe('(3 tokens)');
    expect(findUnprinted('a.c\n', 'abc\n')).toBe('a.c');
  });

  it('reports a printed line that is not shown', () => {
    expect(findUnprinted('one\n', 'one\ntwo\n')).toBe('two');
    expect(findUnprinted('', 'warning: trouble\n')).toBe('warning: trouble');
  });

  it('reads the commands of a section with what they print', () => {
    const page =
      '# X\n\n## A\n\n```sh\nno\n```\n\n## B\n\n```sh\none\n```\n\n```sh\ntwo\n```\n\n```text\n2\n```\n\n## C\n';
    expect(readSteps(page, 'B')).toEqual([
      { commands: 'one\n', shown: null },
      { commands: 'two\n', shown: '2\n' },
    ]);
    expect(() => readSteps(page, 'D')).toThrow('no section "D"');
  });
});

function expectPrinted(step: Step | undefined, output: string, url: string): void {
  const shown = step?.shown?.replaceAll(address, url) ?? '';
  const unprinted = findUnprinted(shown, output);
  if (unprinted === null) return;
  throw new Error(
    `The README and the program disagree at "${unprinted}".\n\n${step?.commands}\nprints\n\n${output}`,
  );
}

function isThere(command: string): boolean {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
}

/** For machines without curl: as much of it as the tour uses. Gives the folder that it is in. */
async function standInForCurl(folder: TempFolder): Promise<string> {
  const code = `#!${process.execPath}
    const init = { headers: {} };
    const words = process.argv.slice(2);
    for (let word = words.shift(); word; word = words.shift()) {
      if (word === '-H') init.headers[words[0].split(': ')[0]] = words.shift().split(': ')[1];
      else if (word === '-d') Object.assign(init, { method: 'POST', body: words.shift() });
      else if (word !== '-s') fetch(word, init).then((reply) => reply.text()).then((text) => process.stdout.write(text));
    }`;
  const file = await folder.write('bin/curl', code);
  await chmod(file, 0o755);
  return dirname(file);
}

function environment(folder: string) {
  const own = {
    HOME: join(folder, 'home'),
    ZOO_HOME: join(folder, 'zoo'),
    ZOO_CONFIG_DIR: join(folder, 'config'),
  };
  const { ZOO_CONFIG: _, ZOO_LOG: __, ZOO_DEBUG: ___, ...outer } = process.env;
  return { ...outer, ...own, PATH: outer.PATH, npm_config_update_notifier: 'false' };
}

/** `npm start`, on any free port. */
async function startHub(env: NodeJS.ProcessEnv) {
  // A group of its own, so that whatever npm has started can be ended with it.
  const child = spawn('npm', ['start', '--', '--port', '0'], { cwd: root, env, detached: true });
  const exited = once(child, 'exit');
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('Ctrl-C stops the hub')) resolve();
    });
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`\`npm start\` ended:\n${output}`)));
  });
  return {
    output: () => output,
    url: /is running at (\S+)/.exec(output)?.[1] ?? '',
    exitCode: async (): Promise<unknown> => (await exited)[0],
    async [Symbol.asyncDispose]() {
      endGroup(child);
      await exited;
    },
  };
}

function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGTERM');
}

/** Runs the steps one after another in one shell, which ends at the first command that fails. */
async function runSession(steps: readonly Step[], url: string, folder: string, env: NodeJS.ProcessEnv) {
  const outputs = join(folder, 'outputs');
  await mkdir(outputs);
  const script = ['set -e -o pipefail', 'shopt -s expand_aliases'];
  for (const [index, { commands }] of steps.entries()) {
    script.push(`exec > '${join(outputs, String(index))}' 2>&1`, commands.replaceAll(address, url));
    // A file that has changed is served within a second, and nobody reads on faster than this.
    if (commands.includes('cat >')) script.push('sleep 2');
  }
  const file = join(folder, 'tour.sh');
  await writeFile(file, script.join('\n'));
  const [code] = await once(spawn('bash', [file], { cwd: root, env, stdio: 'ignore' }), 'exit');
  const names = (await readdir(outputs)).toSorted((a, b) => Number(a) - Number(b));
  const printed = await Promise.all(names.map((name) => readFile(join(outputs, name), 'utf8')));
  return { code: Number(code ?? 1), outputs: printed };
}
