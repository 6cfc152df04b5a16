import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { startFakeModel } from '../fake-model/fake-model.ts';
import { call, held, lastResult, say, type Step } from '../fake-model/script.ts';
import { PATIENCE } from '../patience.ts';
import { findUnprinted, readSteps } from '../transcript.ts';
import { fixture } from '../upstreams/upstream-servers.ts';
import { tempHome } from '../zoo-command.ts';
import { answerOf, connectA2A, send, stateOf } from './a2a-client.ts';

const root = join(import.meta.dirname, '..', '..');
const AGENT = '[agents.planner]\nsystem_prompt = "x"\nmode = "autonomous"\n';

async function homeWith(steps: readonly Step[], config: string) {
  const model = await startFakeModel(steps);
  const home = await tempHome();
  mkdirSync(join(home.path, 'config'), { recursive: true });
  writeFileSync(join(home.path, 'config/zoo.toml'), config);
  Object.assign(home.env, { ANTHROPIC_API_KEY: 'sk-secret-key-of-tests', ANTHROPIC_BASE_URL: model.url });
  return {
    model,
    home,
    token: async () => (await readFile(join(home.path, 'home/operator-token'), 'utf8')).trim(),
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

it.skipIf(process.platform === 'win32')('the examples of docs/a2a.md work', async () => {
  const steps = readSteps(await readFile(join(root, 'docs/a2a.md'), 'utf8'), 'A first call');
  await using at = await homeWith([say('Take the night train.')], '');
  const bin = join(at.home.path, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'zoo'), `#!/bin/sh\nexec "${process.execPath}" "${root}/dist/zoo.js" "$@"\n`);
  chmodSync(join(bin, 'zoo'), 0o755);
  const { url } = await at.home.serve(['--trust-all']);
  const env = {
    ...at.home.env,
    PATH: `${bin}${delimiter}${at.home.env['PATH']}`,
    ZOO_URL: url.replace(/\/$/, ''),
  };
  // The hub has to see the new agent first.
  const [define, ...others] = steps;
  const script = [
    define?.commands.replace('zoo a2a', 'until zoo agent show planner >/dev/null 2>&1; do :; done\nzoo a2a'),
    ...others.map(({ commands }) => commands),
  ].join('echo ==\n');
  const child = spawn('bash', ['-c', `set -e\n${script}`], { cwd: at.home.work, env });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  await once(child, 'close');
  const outputs = printed.split('==\n');
  expect(steps.map(({ shown }, index) => findUnprinted(shown ?? '', outputs[index] ?? ''))).toEqual(
    steps.map(() => null),
  );
});

it('zoo a2a call continues a conversation, and reports a failed task and a missing agent', async () => {
  const failing = { status: 400, message: 'Out of trains.' };
  await using at = await homeWith([say('one'), say('two'), failing], AGENT);
  const { url } = await at.home.serve();
  Object.assign(at.home.env, { A2A_TOKEN: await at.token() });
  const address = `${url.replace(/\/$/, '')}/a2a/planner`;
  const first = await at.home.zoo(['a2a', 'call', address, 'Hi']);
  expect([first.code, first.out]).toEqual([0, 'one\n']);
  const context = /--context (\S+)/.exec(first.err)?.[1] ?? '';
  const second = await at.home.zoo(['a2a', 'call', address, 'And now?', '--context', context]);
  expect([second.code, second.out]).toEqual([0, 'two\n']);
  expect(at.model.requests.map(({ messages }) => messages.length)).toEqual([1, 3]);
  const third = await at.home.zoo(['a2a', 'call', address, 'Hi']);
  expect([third.code, third.err]).toEqual([1, expect.stringContaining('Out of trains.')]);
  const missing = await at.home.zoo(['a2a', 'card', address.replace('planner', 'nobody')]);
  expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('no agent card')]);
});

it('a task that asks is answered with zoo a2a call --task, or by accept and decline in zoo inbox', async () => {
  const order = (name: string): Step[] => [
    call('order', { as: name }),
    (request) => say(`It said ${lastResult(request)}`),
  ];
  const config = `${AGENT}tool_permission = "never"\ntools = ["kitchen.order"]\n${fixture('kitchen', 'legacy')}`;
  await using at = await homeWith([...order('Ann'), ...order('Bob'), ...order('Cid')], config);
  const { url } = await at.home.serve(['--trust-all']);
  const token = await at.token();
  Object.assign(at.home.env, { A2A_TOKEN: token });
  const address = `${url.replace(/\/$/, '')}/a2a/planner`;
  // Lists the tools of the server before the agent needs them.
  expect((await at.home.zoo(['tools', 'call', 'kitchen.who'])).code).toBe(0);
  const zoo = (...args: string[]) => at.home.zoo(args);
  const ask = async (): Promise<string> => {
    const asked = await zoo('a2a', 'call', address, 'Something, please');
    expect([asked.code, asked.err]).toEqual([1, expect.stringContaining('want?')]);
    return /--task (\S+)/.exec(asked.err)?.[1] ?? '';
  };

  const first = await ask();
  const answered = await zoo('a2a', 'call', address, 'green tea', '--task', first);
  expect([answered.code, answered.out]).toEqual([0, expect.stringContaining('"what":"green tea"')]);

  const client = await connectA2A(url.replace(/\/$/, ''), 'planner', token, 'JSONRPC');
  const answerInInbox = async (...answer: string[]): Promise<string> => {
    const id = await ask();
    const [question] = JSON.parse((await zoo('inbox', '--json')).out).questions;
    expect((await zoo('inbox', 'answer', question.id, ...answer)).code).toBe(0);
    await expect
      .poll(async () => stateOf(await client.getTask({ tenant: '', id })), PATIENCE)
      .toBe('TASK_STATE_COMPLETED');
    return answerOf(await client.getTask({ tenant: '', id }));
  };
  expect(await answerInInbox('accept', '--arguments', '{"what":"mint"}')).toContain('"what":"mint"');
  expect(await answerInInbox('decline')).toContain('decline');
});

it('a token goes to the origin of the address only, and follows no redirect', async () => {
  const { createServer } = await import('node:http');
  const seen: (string | undefined)[] = [];
  const elsewhere = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(401).end();
  }).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  const address = elsewhere.address();
  const evil = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  try {
    await using at = await homeWith([], `${AGENT}[a2a]\nurl = "${evil}"\n`);
    const { url } = await at.home.serve();
    const own = url.replace(/\/$/, '');
    const { code } = await at.home.zoo([
      'a2a',
      'call',
      `${own}/a2a/planner`,
      'Hi',
      '--token',
      'secret-token',
    ]);
    expect(code).toBe(1);
    expect(seen).toEqual([undefined]);
  } finally {
    elsewhere.close();
  }
});

it('a task survives a hub that is killed', async () => {
  const lost = held('lost with the hub');
  await using at = await homeWith([lost.step, say('Here it is.')], AGENT);
  const first = await at.home.serve();
  const token = await at.token();
  const connect = (url: string) => connectA2A(url.replace(/\/$/, ''), 'planner', token, 'JSONRPC');
  const { id } = await send(await connect(first.url), 'Hi', { returnImmediately: true });
  await expect.poll(() => at.model.requests.length).toBe(1);
  const ended = once(first.child, 'exit');
  first.child.kill('SIGKILL');
  await ended;
  lost.release();
  const client = await connect((await at.home.serve()).url);
  await expect
    .poll(async () => stateOf(await client.getTask({ tenant: '', id })), { timeout: 90_000 })
    .toBe('TASK_STATE_COMPLETED');
  expect(answerOf(await client.getTask({ tenant: '', id }))).toBe('Here it is.');
});
