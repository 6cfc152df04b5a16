import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { link, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { poll, stageTeam } from './team-stage.ts';

const call = (tool: string, args: object): string => `!${tool} ${JSON.stringify(args)}`;

test('members spawn, ask, answer and complete over ACP', async () => {
  await using stage = await stageTeam();
  const helper = [
    'Answer every question.',
    call('send_message', { recipient: 'root', text: 'I am ready', sync: false }),
  ].join('\n');
  const { id } = await stage.start(call('spawn_agent', { name: 'helper', instructions: helper }));
  await stage.until('the greeting', (seen) =>
    seen.some(({ prompt }) => prompt?.includes('Message from helper') && prompt.includes('I am ready')),
  );
  const question = call('send_message', { recipient: 'root', text: 'forty-two', sync: false });
  const ask = call('send_message', { recipient: 'helper', text: question });
  await stage.hub.request('POST', `/api/teams/${id}/messages`, { to: 'root', text: ask });
  const seen = await stage.until('the reply', (all) =>
    all.some(
      ({ prompt }) => prompt?.includes('Reply from helper (to message') && prompt.includes('forty-two'),
    ),
  );
  const sent = seen.find(({ tool, args }) => tool === 'send_message' && args?.['recipient'] === 'helper');
  expect(sent?.result).toMatchObject({ status: 'sent', waiting_for_reply: true });
  expect(seen.find(({ tool }) => tool === 'spawn_agent')?.result).toMatchObject({
    status: 'created',
    name: 'helper',
  });
  const finish = call('complete', { result: 'all is well' });
  await stage.hub.request('POST', `/api/teams/${id}/messages`, { to: 'root', text: finish });
  const { members } = await stage.untilTeam(id, ({ state }) => state === 'done');
  expect(members.map(({ name, state }) => [name, state])).toEqual([
    ['root', 'done'],
    ['helper', 'stopped'],
  ]);
  const { body } = await stage.hub.request('POST', `/api/teams/${id}/inbox`);
  expect(body.messages.map((message: { text: string }) => message.text)).toEqual(['all is well']);
});

test('a reply to a broadcast has the id that its sender knows', async () => {
  await using stage = await stageTeam();
  const spawned = call('spawn_agent', { name: 'helper', instructions: 'Wait.' });
  const { id } = await stage.start(`${spawned}\n${call('broadcast', { text: 'Who is there?' })}`);
  const all = await poll(
    'the broadcast to be read',
    () => stage.messages(id),
    (messages) => messages.some(({ text, state }) => text === 'Who is there?' && state === 'read'),
  );
  const asked = all.find(({ text }) => text === 'Who is there?');
  const reply = call('send_message', { recipient: 'root', text: 'I am', reply_to: asked?.id });
  await stage.hub.request('POST', `/api/teams/${id}/messages`, { to: 'helper', text: reply });
  const seen = await stage.until('the reply', (notes) =>
    notes.some(({ prompt }) => prompt?.includes('Reply from helper')),
  );
  const sent = seen.find(({ tool }) => tool === 'broadcast')?.result?.['message_id'];
  expect(seen.find(({ prompt }) => prompt?.includes('Reply from helper'))?.prompt).toContain(
    `Reply from helper (to message ${String(sent)}):`,
  );
});

test('a crash and a flood of output do not lose a message', async () => {
  await using stage = await stageTeam();
  const crashed = await stage.start('!crash');
  const { members } = await stage.untilTeam(crashed.id, ({ state }) => state === 'failed');
  expect(members[0]?.reason).toContain('its turn failed 3 times: the process exited (3)');
  const dead = (await stage.messages(crashed.id)).filter(({ state }) => state === 'dead');
  expect(dead.map(({ kind }) => kind)).toEqual(['task']);
  const flooded = await stage.start('!flood');
  await stage.untilTeam(flooded.id, (team) => team.members[0]?.state === 'idle');
  const { body } = await stage.hub.request('GET', `/api/teams/${flooded.id}/members/root`);
  expect(body.turns[0].answer).toHaveLength(200_000);
});

test('a first turn that is retried begins with the guidance again', async () => {
  await using stage = await stageTeam();
  const { id } = await stage.start(`!stumble ${stage.hub.home}/once`);
  await stage.untilTeam(id, ({ members }) => members[0]?.state === 'idle' && members[0].unread === 0);
  const prompts = stage.seen().flatMap(({ prompt }) => prompt ?? []);
  expect(prompts.map((prompt) => prompt.startsWith('You are root'))).toEqual([true, true]);
  // Its scope: without an agent, the read-only built-ins.
  expect(prompts[0]).toMatch(/The same server also offers: .*\bagent_zoo_list_agents\b/);
});

test('a hub stops without waiting for a member that is still starting', async () => {
  await using stage = await stageTeam({
    harnesses: () => '[harness.mute]\ncommand = ["sleep", "1000"]\n',
  });
  const { id } = await stage.start('hello', { harness: 'mute' });
  const { state } = await stage.untilTeam(id, ({ members }) => members[0]?.state === 'busy');
  expect(state).toBe('running');
});

test('a member that hangs and ignores its cancellation fails', async () => {
  await using stage = await stageTeam({ team: 'idle_timeout = 0.2' });
  const { id } = await stage.start('!deaf');
  const { members } = await stage.untilTeam(id, ({ state }) => state === 'failed');
  expect(members[0]?.reason).toContain('no sign of life for 0.2 s');
});

test('files and permissions stop at the workspace', async () => {
  await using stage = await stageTeam({ files: { 'inside.txt': 'hello' } });
  const { folder } = stage.hub;
  await symlink('/etc', `${folder}/way-out`);
  await symlink('/tmp/not-there-yet', `${folder}/dangling`);
  await writeFile(`${stage.hub.home}/secret.txt`, 'of the hub');
  await link(`${stage.hub.home}/secret.txt`, `${folder}/hard-link`);
  const paths = ['/etc/hostname', `${folder}/../x`, `${folder}/way-out/hostname`];
  const lines = [
    `!read ${folder}/inside.txt`,
    ...paths.map((path) => `!read ${path}`),
    `!write ${folder}/dangling`,
    `!write ${folder}/hard-link`,
    `!read ${folder}/hard-link`,
    `!write ${folder}/new.txt`,
    `!ask edit ${folder}/new.txt`,
    '!ask edit relative.txt',
  ];
  const { id } = await stage.start(lines.join('\n'));
  await stage.untilTeam(id, (team) => team.members[0]?.state === 'idle');
  const seen = stage.seen();
  expect(seen.find(({ file }) => file === `${folder}/inside.txt`)?.['content']).toBe('hello');
  const outside = [...paths, `${folder}/dangling`, `${folder}/hard-link`];
  const notes = seen.filter(({ file }) => outside.some((path) => path === file));
  expect(notes).toHaveLength(outside.length + 1);
  expect(notes.filter((note) => note['error'] === undefined)).toEqual([]);
  expect(await readFile(`${stage.hub.home}/secret.txt`, 'utf8')).toBe('of the hub');
  expect(seen.flatMap(({ permission, outcome }) => (permission ? [outcome] : []))).toEqual(['yes', 'yes']);
});

test('pipes and large files in the workspace do not hold up the hub', async () => {
  await using stage = await stageTeam();
  const { folder } = stage.hub;
  execFileSync('mkfifo', [`${folder}/pipe`]);
  await writeFile(`${folder}/large.bin`, '');
  await truncate(`${folder}/large.bin`, 11 * 1024 * 1024);
  await writeFile(`${folder}/long.txt`, 'a long text');
  const lines = ['!read pipe', '!write pipe', '!read large.bin', '!write long.txt', '!read long.txt'];
  const { id } = await stage.start(lines.join('\n'));
  await stage.untilTeam(id, (team) => team.members[0]?.state === 'idle');
  const answers = stage.seen().filter(({ file }) => file !== undefined);
  expect(answers.map(({ error }) => error !== undefined)).toEqual([true, true, true, false, false]);
  expect(answers.at(-1)?.['content']).toBe('written');
});

test('terminals run inside the workspace, and usage counts against the budget', async () => {
  await using stage = await stageTeam({ files: { 'inside.txt': 'hello' } });
  const { id } = await stage.start('!run cat inside.txt\n!usage 1200 0.5\n!usage 1500 0.75');
  const question = await poll(
    'the question',
    async () => (await stage.hub.request('GET', '/api/questions')).body.questions,
    (questions) => questions.length === 1,
  );
  expect(question[0].title).toContain('sh -c cat inside.txt');
  await stage.hub.request('POST', `/api/questions/${question[0].id}/answer`, {
    answer: { decision: 'allow' },
  });
  const { members } = await stage.untilTeam(id, (team) => team.members[0]?.state === 'idle');
  expect(stage.seen().find(({ ran }) => ran)).toMatchObject({ output: 'hello', exitCode: 0 });
  expect(members[0]?.spent).toEqual({ tokens: 1500, usd: 0.75, turns: 1 });
});

test('without bubblewrap and without `sandbox = "off"`, no member is started', async () => {
  await using stage = await stageTeam({ own: { 'zoo.toml': '' }, env: { PATH: '/nowhere' } });
  await expect(stage.start('hello')).rejects.toThrow(/permission_denied.*bubblewrap is not installed/);
});

test('a team with an invalid member is not started, not even in part', async () => {
  await using stage = await stageTeam();
  const members = [
    { name: 'root', harness: 'fake', task: '!say hello' },
    { name: 'not a name', harness: 'fake' },
  ];
  const { status } = await stage.hub.request('POST', '/api/teams', { members });
  expect(status).toBe(400);
  expect((await stage.hub.request('GET', '/api/teams')).body.teams).toEqual([]);
});

test('a subagent that is refused gets no folder', async () => {
  await using stage = await stageTeam();
  const spawn = (name: string) => call('spawn_agent', { name, instructions: 'x', workspace_subdir: name });
  const { id } = await stage.start([spawn('user'), spawn('helper')].join('\n'));
  await stage.untilTeam(id, ({ members }) => members[1]?.spent.turns === 1 && members[1].state === 'idle');
  expect(['user', 'helper'].map((name) => existsSync(`${stage.hub.folder}/${name}`))).toEqual([false, true]);
});

test('a member whose harness is not installed is refused, with the program that is missing', async () => {
  const absent = '[harness.absent]\ncommand = ["no-such-agent", "acp"]\n';
  await using stage = await stageTeam({ harnesses: () => absent });
  const refusal = "Harness 'absent' is not installed: no-such-agent is not on the PATH.";
  await expect(stage.start('hello', { harness: 'absent' })).rejects.toThrow(refusal);
  expect((await stage.hub.request('GET', '/api/teams')).body.teams).toEqual([]);
  await stage.start(call('spawn_agent', { name: 'helper', instructions: 'x', harness: 'absent' }));
  const seen = await stage.until('the refusal', (all) => all.some(({ tool }) => tool === 'spawn_agent'));
  expect(JSON.stringify(seen.find(({ tool }) => tool === 'spawn_agent'))).toContain(refusal);
});
