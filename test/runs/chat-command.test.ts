import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { homeFiles } from '../../src/platform/home/paths.ts';
import { openConnection } from '../../src/platform/store/sqlite-connection.ts';
import { startFakeModel } from '../fake-model/fake-model.ts';
import { atTerminal, hasTerminal } from '../at-terminal.ts';
import { call, hang, lastResult, say, type Step, userText } from '../fake-model/script.ts';
import { tempHome } from '../zoo-command.ts';

const CONFIG = `[agents.ada]
system_prompt = "You are Ada."
tools = ["sources", "agent_zoo_create_brain_entry"]
`;

async function stage(steps: readonly Step[]) {
  const model = await startFakeModel(steps);
  const home = await tempHome();
  Object.assign(home.env, { ANTHROPIC_API_KEY: 'sk-secret-key-of-tests', ANTHROPIC_BASE_URL: model.url });
  const config = String(home.env['ZOO_CONFIG_DIR']);
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'zoo.toml'), CONFIG);
  return {
    model,
    home,
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

const remember = call('agent_zoo_create_brain_entry', {
  agentId: 'ada',
  type: 'note',
  content: 'Tea, not coffee.',
});

it('zoo chat talks, asks for approval, retries, and is resumed', async () => {
  await using at = await stage([remember, say('Noted.'), say('Hello again.'), say('Still here.')]);
  const answers = ['I drink tea.', 'once', '/retry', '/exit'];
  const { code, out, err } = await at.home.inProcess(['chat', 'ada'], { answers });
  expect({ code, out }).toEqual({ code: 0, out: 'Noted.\nHello again.\n' });
  expect(err).toContain('Call agent_zoo_create_brain_entry with');
  const id = /--resume (\w+)/.exec(err)?.[1] ?? '';
  const resumed = await at.home.inProcess(['chat', 'ada', '--resume', id], {
    answers: ['Are you there?', '/exit'],
  });
  expect(resumed.out).toBe('Still here.\n');
  expect((await at.home.zoo(['chats', 'list'])).out).toContain('I drink tea.');
  expect((await at.home.zoo(['chats', 'show', id])).out).toContain('Still here.');
  expect((await at.home.zoo(['chats', 'export', id])).out).toContain('# I drink tea.');
  expect((await at.home.zoo(['chats', 'delete', id])).code).toBe(0);
  expect(JSON.parse((await at.home.zoo(['chats', 'list', '--json'])).out).total).toBe(0);
});

it('zoo chat resumes only an existing chat with this agent', async () => {
  await using at = await stage([say('Hello.'), say('Cheap.')]);
  const config = join(String(at.home.env['ZOO_CONFIG_DIR']), 'zoo.toml');
  writeFileSync(config, `${CONFIG}[agents.bob]\nsystem_prompt = "You are Bob."\n`);
  const { err } = await at.home.inProcess(['chat', 'ada'], { answers: ['Hi', '/exit'] });
  const id = /--resume (\w+)/.exec(err)?.[1] ?? '';
  const resume = async (args: string[]) =>
    at.home.inProcess(['chat', ...args], { answers: ['Hi again', '/exit'] });

  const missing = await resume(['ada', '--resume', 'nope']);
  expect({ code: missing.code, err: missing.err }).toEqual({
    code: 1,
    err: expect.stringContaining("Chat 'nope' not found."),
  });
  const other = await resume(['bob', '--resume', id]);
  expect({ code: other.code, err: other.err }).toEqual({
    code: 2,
    err: expect.stringMatching(
      new RegExp(`chat ${id} is with ada, not with bob\\nhint: zoo chat ada --resume ${id}`),
    ),
  });
  expect((await resume(['ada', '--resume', id, '--arg', 'x=y'])).err).toContain('--arg cannot be used');
  const cheap = await resume(['ada', '--resume', id, '--model', 'anthropic/claude-haiku-4-5']);
  expect(cheap).toMatchObject({
    code: 0,
    out: 'Cheap.\n',
    err: expect.stringContaining('with ada, 1 turn.'),
  });
  expect(at.model.requests.map((request) => request.model)).toEqual([
    'claude-sonnet-4-5',
    'claude-haiku-4-5',
  ]);
});

/** The chat of a hub that stopped during its answer. */
async function leaveUnfinished({ home, model }: Awaited<ReturnType<typeof stage>>): Promise<string> {
  const hub = await home.serve();
  const headers = {
    authorization: `Bearer ${(await home.zoo(['token'])).out.trim()}`,
    'content-type': 'application/json',
  };
  const post = (path: string, body: object) =>
    fetch(hub.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const { id } = JSON.parse(await (await post('/api/chats', { agent: 'ada' })).text());
  await post(`/api/chats/${id}/messages`, { message: 'Hello' });
  await expect.poll(() => model.requests.length).toBe(1);
  const ended = once(hub.child, 'exit');
  hub.child.kill();
  await ended;
  return id;
}

it('zoo chat without a hub continues an answer that the last hub left unfinished', async () => {
  await using at = await stage([hang(), say('Here it is.'), say('And more.')]);
  const id = await leaveUnfinished(at);
  const resumed = await at.home.inProcess(['chat', 'ada', '--resume', id], { answers: ['More', '/exit'] });
  expect(resumed).toMatchObject({ code: 0, out: 'Here it is.\nAnd more.\n' });
});

it('zoo chat says that an answer was cancelled whose process died', async () => {
  await using at = await stage([hang()]);
  const id = await leaveUnfinished(at);
  const file = homeFiles(String(at.home.env['ZOO_HOME'])).database;
  const store = openConnection(file, { readOnly: false, waitMs: 5_000 });
  store.run('UPDATE runs SET cancel_requested = 1', []);
  store.close();
  const { err } = await at.home.inProcess(['chat', 'ada', '--resume', id], { answers: ['/exit'] });
  expect(err).toContain('the run was cancelled');
});

it('zoo chat says that its chat was deleted, and what to do', async () => {
  await using at = await stage([say('Hello.'), say('New here.')]);
  const { code, out, err } = await at.home.inProcess(['chat', 'ada'], {
    answers: [
      'Hi',
      async () => {
        const { chats } = JSON.parse((await at.home.zoo(['chats', 'list', '--json'])).out);
        await at.home.zoo(['chats', 'delete', chats[0].id]);
        return 'Still there?';
      },
      '/new',
      'Hi',
      '/exit',
    ],
  });
  expect({ code, out }).toEqual({ code: 0, out: 'Hello.\nNew here.\n' });
  expect(err).toContain('This chat was deleted elsewhere. /new starts another one.');
});

it('zoo chat has commands that are not sent to the model', async () => {
  await using at = await stage([say('Hello.'), say('A path.'), say('I am Bob.')]);
  const config = join(String(at.home.env['ZOO_CONFIG_DIR']), 'zoo.toml');
  writeFileSync(config, `${CONFIG}[agents.bob]\nsystem_prompt = "You are Bob."\ndescription = "Builds."\n`);
  const { code, out, err } = await at.home.inProcess(['chat', 'ada'], {
    answers: [
      '/help',
      '/modle',
      '/model nobody/knows-it',
      '/model anthropic/claude-haiku-4-5',
      '/file missing.txt',
      `/file ${config}`,
      '//etc is full',
      '/cost',
      '/model',
      '/model default',
      'What is /etc/hosts?',
      '/agent nobody',
      '/agent bob',
      '/agent',
      'Who are you?',
      '/new',
      '/quit',
    ],
  });
  expect({ code, out }).toEqual({ code: 0, out: 'Hello.\nA path.\nI am Bob.\n' });
  const [first, second, third] = at.model.requests;
  expect(first && userText(first)).toContain('/etc is full');
  expect(first && userText(first)).toContain('[agents.ada]');
  expect([first, second].map((request) => request?.model)).toEqual(['claude-haiku-4-5', 'claude-sonnet-4-5']);
  expect(second && userText(second)).toContain('What is /etc/hosts?');
  expect(third).toMatchObject({ system: expect.stringContaining('You are Bob.') });
  expect(err).toContain('/retry');
  expect(err).toContain('Unknown command /modle. Did you mean /model?');
  expect(err).toContain("'nobody/knows-it'");
  expect(err).toContain('missing.txt');
  expect(err).toMatch(/1 turn, 0 tool calls, \d+ tokens in/);
  expect(err).toContain('Model: anthropic/claude-haiku-4-5.');
  expect(err).toContain("'nobody' not found");
  expect(err).toMatch(/New chat \w+ with bob\. zoo chat ada --resume \w+ continues the last one\./);
  expect(err).toContain('bob: bob. Builds.');
  const { chats } = JSON.parse((await at.home.zoo(['chats', 'ls', '--json'])).out);
  expect(chats).toHaveLength(3);
});

it('zoo run at a terminal denies a call with a reason that the model sees', async () => {
  await using at = await stage([remember, say('Then not.')]);
  const { code, out } = await at.home.inProcess(['run', 'ada', 'Remember tea'], {
    answers: ['deny', 'private'],
  });
  expect({ code, out }).toEqual({ code: 0, out: 'Then not.\n' });
  const last = at.model.requests.at(-1);
  expect(last && lastResult(last)).toContain('Reason: private');
});

it('zoo chat says that it needs a terminal', async () => {
  await using at = await stage([]);
  const { code, err } = await at.home.zoo(['chat', 'ada']);
  expect(code).toBe(1);
  expect(err).toContain('a chat needs a terminal');
});

it.each(['SIGINT', 'SIGTERM'] as const)('%s cancels a run, and the run is kept', async (signal) => {
  await using at = await stage([hang()]);
  const child = at.home.start(['run', 'ada', 'Hi']);
  await expect.poll(() => at.model.requests.length).toBe(1);
  child.kill(signal);
  const [code] = await once(child, 'exit');
  expect(code).toBe(1);
  const { runs } = JSON.parse((await at.home.zoo(['runs', 'list', '--json'])).out);
  expect(runs[0].state).toBe('cancelled');
});

it('zoo inbox lists questions and answers them', async () => {
  await using at = await stage([remember, say('Noted.')]);
  const { url } = await at.home.serve();
  const token = (await at.home.zoo(['token'])).out.trim();
  const response = await fetch(`${url}/api/runs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ agent: 'ada', prompt: 'Remember tea', interactive: true }),
  });
  const id = /"id":"([^"]+)"/.exec(await response.text())?.[1] ?? '';
  await expect.poll(async () => (await at.home.zoo(['inbox'])).out).toContain(id);
  const unsure = await at.home.zoo(['inbox', 'answer', id.slice(0, 8), 'maybe']);
  expect(unsure).toMatchObject({ code: 2, err: expect.stringContaining("unknown decision 'maybe'") });
  expect((await at.home.zoo(['inbox', 'answer', id.slice(0, 8), 'once'])).code).toBe(0);
  await expect
    .poll(async () => JSON.parse((await at.home.zoo(['runs', 'show', id, '--json'])).out).state)
    .toBe('completed');
});

/** Whenever Ctrl-C comes, the first message gets no answer, and the second one does. */
const answersAgain: Step = async (request, hungUp) => {
  if (lastResult(request).includes('coffee!')) return { ...say('Noted.'), again: true };
  if (userText(request).includes('Remember')) return { ...remember, again: true };
  if (userText(request).includes('Again')) return { ...say('Still here.'), again: true };
  if (lastResult(request) === '') return { ...call('sources'), again: true };
  if (!hungUp.aborted) await once(hungUp, 'abort');
  return { ...say('Too late.'), again: true };
};

const down = '\u001B[B';
const back = '\u007F';

it.runIf(hasTerminal)(
  'Ctrl-C in zoo chat cancels the answer, also at an approval, and the chat goes on',
  async () => {
    await using at = await stage([answersAgain]);
    const { screen, code } = await atTerminal(['chat', 'ada'], {
      cwd: at.home.work,
      env: at.home.env,
      timeoutMs: 80_000,
      type: [
        ['You', 'Hello\r'],
        ['→ sources', '\u0003'],
        ['was cancelled', ''],
        ['You', 'Again\r'],
        ['Still here.', ''],
        ['You', 'Remember\r'],
        ['allow this call', '\u0003'],
        ['was cancelled', ''],
        ['You', 'Remember\r'],
        ['allow this call', `${down}${down}${down}\r`],
        ['Arguments as JSON', `${back}\r`],
        ['This is not a JSON object', `${back}${back}!"}\r`],
        ['Noted.', ''],
        ['You', '/exit\r'],
      ],
    });
    expect(code).toBe(0);
    expect(screen).toContain('continues this chat');
    const { chats } = JSON.parse((await at.home.zoo(['chats', 'list', '--json'])).out);
    expect(chats).toMatchObject([{ turns: 4, state: 'completed' }]);
  },
);

it.runIf(hasTerminal)('an approval that is answered elsewhere closes at the terminal', async () => {
  await using at = await stage([remember, say('Noted.')]);
  const elsewhere = async (): Promise<void> => {
    const { questions } = JSON.parse((await at.home.zoo(['inbox', 'list', '--json'])).out);
    await at.home.zoo(['inbox', 'answer', questions[0].id, 'once']);
  };
  const { screen, code } = await atTerminal(['run', 'ada', 'Remember'], {
    cwd: at.home.work,
    env: at.home.env,
    type: [['allow this call', elsewhere]],
  });
  expect(screen).toMatch(/answered already[^]*Noted\./);
  expect(code).toBe(0);
});
