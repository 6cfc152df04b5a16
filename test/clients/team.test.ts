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
  const own = String(home.env['ZOO_CONFIG_DIR']);
  const homeOf = (name: string): string => join(home.path, name);
  mkdirSync(own, { recursive: true });
  const harnesses = [
    await harnessOf(claudeCode, lead, homeOf('claude'), 'mode = "claude-print"\n'),
    await harnessOf(gemini, reader, homeOf('gemini'), '', '--acp', '-m', 'gemini-2.5-flash'),
    await harnessOf(opencode, scout, homeOf('opencode'), '', 'acp'),
    await harnessOf(codexAcp, clerk, homeOf('codex'), ''),
  ];
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
  const { id } = await request<TeamDetails>('/api/teams', {
    name: 'four-vendors',
    members: [
      { name: 'lead', harness: 'claude-code', task: 'Find out what there is.' },
      { name: 'reader', harness: 'gemini' },
      { name: 'clerk', harness: 'codex-acp' },
    ],
  });
  const isIdle = ({ members }: TeamDetails): boolean =>
    members.length === 4 && members.every(({ state, unread }) => state === 'idle' && unread === 0);
  const heard = (model: FakeModel, text: string): boolean =>
    model.requests.some((each) => userText(each).includes(text));
  // Four programs start at once, each of which takes seconds on an idle machine.
  const now = async () => ({
    team: await request<TeamDetails>(`/api/teams/${id}`),
    heard: [reader, clerk, scout].map((model) => heard(model, 'Come home.')),
    problems: models.map(({ problems }) => problems),
    questions: await request('/api/questions'),
  });
  await vi.waitFor(
    async () => {
      const seen = await now();
      if (!isIdle(seen.team) || seen.heard.includes(false)) throw new Error(JSON.stringify(seen));
    },
    { timeout: 240_000, interval: 200 },
  );

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
  await request(`/api/teams/${id}/stop`, {});
  expect(await findLeftBehind(home.path, [hub.child.pid ?? 0])).toEqual([]);
}, 300_000);
