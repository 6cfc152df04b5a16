import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { clientCommand, clients, clientsFolder } from '../../scripts/clients.js';
import type { TeamDetails, TeamMessage } from '../../src/contract/team.ts';
import { readOperatorToken } from '../../src/platform/home/access.ts';
import { type FakeModel, startFakeModel } from '../fake-model/fake-model.ts';
import { call, lastResult, say, userText } from '../fake-model/script.ts';
import { tempHome } from '../zoo-command.ts';
import type { Driver } from './driver.ts';
import { claudeCode } from './drivers/claude-code.ts';
import { codexAcp } from './drivers/codex-acp.ts';
import { copilot } from './drivers/copilot.ts';
import { gemini } from './drivers/gemini.ts';
import { opencode } from './drivers/opencode.ts';
import { findLeftBehind, writeFiles } from './run-client.ts';

/** The harness that runs a client on a fake model, with a HOME of its own. */
async function harnessOf(driver: Driver, model: FakeModel, home: string, more: string, ...args: string[]) {
  const { env, files } = driver.launch({
    task: { say: '' },
    server: { transport: 'connected' },
    modelUrl: model.url,
    home,
  });
  await writeFiles(home, files);
  const client = clients.find(({ name }) => name === driver.name);
  if (!client) throw new Error(`scripts/clients.js knows no ${driver.name}`);
  const command = [...clientCommand(await clientsFolder(), client), ...args];
  const variables = Object.entries({ ...env, HOME: home, TMPDIR: home }).map(
    ([name, value]) => `${name} = "${value}"`,
  );
  return `[harness.${driver.name}]\n${more}command = ${JSON.stringify(command)}\nenv = { ${variables.join(', ')} }\n`;
}

const again = (text: string) => ({ ...say(text), again: true });

/** A hub with these harnesses, and a team that runs until all members are idle and everybody has heard enough. */
async function stageTeam(home: Awaited<ReturnType<typeof tempHome>>, harnesses: readonly string[]) {
  const own = String(home.env['ZOO_CONFIG_DIR']);
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'zoo.toml'), `[team]\nsandbox = "off"\n${harnesses.join('')}`);
  const hub = await home.serve();
  const request = async <T>(path: string, body?: object): Promise<T> => {
    const authorization = `Bearer ${readOperatorToken(String(home.env['ZOO_HOME'])) ?? ''}`;
    const response = await fetch(hub.url + path, {
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return JSON.parse(text);
  };
  return {
    request,
    /** Programs start at once, each of which takes seconds on an idle machine. */
    async untilIdle(id: string, count: number, models: readonly FakeModel[], hasEnded: () => boolean) {
      await vi.waitFor(
        async () => {
          const team = await request<TeamDetails>(`/api/teams/${id}`);
          const isIdle =
            team.members.length === count &&
            team.members.every(({ state, unread }) => state === 'idle' && unread === 0);
          if (isIdle && hasEnded()) return;
          const problems = models.map((model) => model.problems);
          throw new Error(JSON.stringify({ team, problems, questions: await request('/api/questions') }));
        },
        { timeout: 240_000, interval: 200 },
      );
    },
    async stop(id: string) {
      await request(`/api/teams/${id}/stop`, {});
      expect(await findLeftBehind(home.path, [hub.child.pid ?? 0])).toEqual([]);
    },
  };
}

const heard = (model: FakeModel, text: string): boolean =>
  model.requests.some((each) => userText(each).includes(text));

it('claude, Gemini CLI, opencode and Codex exchange sync messages, a spawn and a broadcast', async () => {
  await using home = await tempHome();
  await using lead = await startFakeModel([
    call('spawn_agent', { name: 'scout', harness: 'opencode', instructions: 'Look around.' }),
    call('send_message', { recipient: 'reader', text: 'What do you see?' }),
    say('I wait for the reader.'),
    call('send_message', { recipient: 'clerk', text: 'What time is it?' }),
    say('I wait for the clerk.'),
    call('broadcast', { text: 'Come home.' }),
    again('Done.'),
  ]);
  await using reader = await startFakeModel([
    call('send_message', { recipient: 'lead', text: 'A tree.', sync: false }),
    again('Fine.'),
  ]);
  await using clerk = await startFakeModel([
    call('send_message', { recipient: 'lead', text: 'Noon.', sync: false }),
    again('Fine.'),
  ]);
  await using scout = await startFakeModel([again('Fine.')]);
  const models = [lead, reader, clerk, scout];
  const homeOf = (name: string): string => join(home.path, name);
  const harnesses = [
    await harnessOf(claudeCode, lead, homeOf('claude'), 'mode = "claude-print"\n'),
    await harnessOf(gemini, reader, homeOf('gemini'), '', '--acp', '-m', 'gemini-2.5-flash'),
    await harnessOf(opencode, scout, homeOf('opencode'), '', 'acp'),
    await harnessOf(codexAcp, clerk, homeOf('codex'), ''),
  ];
  const { request, untilIdle, stop } = await stageTeam(home, harnesses);
  const { id } = await request<TeamDetails>('/api/teams', {
    name: 'four-vendors',
    members: [
      { name: 'lead', harness: 'claude-code', task: 'Find out what there is.' },
      { name: 'reader', harness: 'gemini' },
      { name: 'clerk', harness: 'codex-acp' },
    ],
  });
  await untilIdle(id, 4, models, () => [reader, clerk, scout].every((model) => heard(model, 'Come home.')));

  const { messages } = await request<{ messages: TeamMessage[] }>(`/api/teams/${id}/messages`);
  const asked = messages.find(({ text }) => text === 'What do you see?');
  expect(
    messages.map(({ from, to, kind, state }) => `${kind} ${from} to ${to}: ${state}`).toSorted(),
  ).toEqual([
    'message lead to clerk: answered',
    'message lead to clerk: read',
    'message lead to reader: answered',
    'message lead to reader: read',
    'message lead to scout: read',
    'reply clerk to lead: read',
    'reply reader to lead: read',
    'task lead to scout: read',
    'task user to lead: read',
  ]);
  // What the models saw, not what the hub says.
  const results = lead.requests.map(lastResult).join('\n');
  expect(results).toContain('"waiting_for_reply":true');
  expect(results).toContain('"recipient_count":3');
  expect(heard(lead, `Reply from reader (to message ${asked?.id}):`)).toBe(true);
  expect([heard(lead, 'A tree.'), heard(lead, 'Noon.')]).toEqual([true, true]);
  expect(heard(scout, 'Your task, from lead')).toBe(true);
  expect([reader, clerk, scout].map((model) => heard(model, 'Broadcast from lead'))).toEqual([
    true,
    true,
    true,
  ]);
  expect(models.flatMap(({ problems }) => problems)).toEqual([]);
  await stop(id);
}, 300_000);

it('Claude Code over ACP and Copilot exchange a sync message', async () => {
  await using home = await tempHome();
  await using lead = await startFakeModel([
    call('send_message', { recipient: 'pilot', text: 'Where are we?' }),
    again('I wait.'),
  ]);
  await using pilot = await startFakeModel([
    call('send_message', { recipient: 'lead', text: 'Over the sea.', sync: false }),
    again('Fine.'),
  ]);
  const { request, untilIdle, stop } = await stageTeam(home, [
    await harnessOf({ ...claudeCode, name: 'claude-acp' }, lead, join(home.path, 'claude'), ''),
    await harnessOf(copilot, pilot, join(home.path, 'copilot'), '', '--acp'),
  ]);
  const { id } = await request<TeamDetails>('/api/teams', {
    members: [
      { name: 'lead', harness: 'claude-acp', task: 'Ask the pilot where you are.' },
      { name: 'pilot', harness: 'copilot' },
    ],
  });
  await untilIdle(id, 2, [lead, pilot], () => heard(lead, 'Reply from pilot'));
  expect([heard(pilot, 'Where are we?'), heard(lead, 'Over the sea.')]).toEqual([true, true]);
  expect([lead, pilot].flatMap(({ problems }) => problems)).toEqual([]);
  await stop(id);
}, 300_000);
