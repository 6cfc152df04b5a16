import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backupHome, restoreHome } from '../../src/platform/store/backup.ts';
import { call, hang, say } from '../fake-model/script.ts';
import { tempFolder } from '../temp-folder.ts';
import { eventsOf, stage, testTool } from './run-stage.ts';

const AGENT = '[agents.ada]\nsystem_prompt = "You are Ada."\ntools = ["send"]\ntool_permission = "never"\n';

it('a restored backup has the chats, and its runs stay interrupted until they are resumed', async () => {
  const sent: unknown[] = [];
  const extensions = [{ tools: [testTool('send', async (args) => (sent.push(args), 'Sent.'))] }];
  await using home = await tempFolder();
  await using folder = await tempFolder();
  await using files = await tempFolder();
  const file = join(files.path, 'zoo.backup');
  const same = { home: home.path, folder: folder.path, extensions };
  const first = await stage([say('Hello.'), hang()], AGENT, same);
  const chat = (await first.hub.request('POST', '/api/chats', { agent: 'ada' })).body.id;
  const said = (await first.hub.request('POST', `/api/chats/${chat}/messages`, { message: 'Hi' })).body;
  await eventsOf(first.hub, said.runId);
  const open = (await first.hub.request('POST', '/api/runs', { agent: 'ada', prompt: 'Write' })).body.id;
  await expect.poll(() => first.model.requests.length).toBe(2);
  await backupHome(home.path, file);
  await first.hub.request('DELETE', `/api/chats/${chat}`);
  await restoreHome(home.path, file);
  await first[Symbol.asyncDispose]();

  await using at = await stage([call('send', { to: 'a' }), say('Done.')], AGENT, same);
  const restored = (await at.hub.request('GET', `/api/chats/${chat}`)).body;
  expect(restored).toMatchObject({ title: 'Hi', history: [{ text: 'Hello.', state: 'completed' }] });
  const run = async () => (await at.hub.request('GET', `/api/runs/${open}`)).body;
  expect(await run()).toMatchObject({
    state: 'interrupted',
    error: { message: expect.stringContaining('Restored from a backup') },
  });
  expect(at.model.requests).toEqual([]);
  expect((await at.hub.request('POST', `/api/runs/${open}/resume`)).status).toBe(202);
  await eventsOf(at.hub, open);
  expect(await run()).toMatchObject({ state: 'completed', text: 'Done.' });
  expect(sent).toEqual([{ to: 'a' }]);
});

it('a restore does not give back what was spent today', async () => {
  await using files = await tempFolder();
  const file = join(files.path, 'zoo.backup');
  const config = `${AGENT}[runner]\nmax_output_tokens = 50\n[budget]\nagent_day = { tokens = 200 }\n`;
  const extensions = [{ tools: [testTool('send', async () => 'Sent.')] }];
  await using at = await stage([{ ...say('Hello.'), again: true }], config, { extensions });
  const stateOf = async (id: string) => (await at.hub.request('GET', `/api/runs/${id}`)).body;
  const runOnce = async () => {
    const { id } = (await at.hub.request('POST', '/api/runs', { agent: 'ada', prompt: 'Hi' })).body;
    await eventsOf(at.hub, id);
    return stateOf(id);
  };
  await backupHome(at.hub.home, file);
  let spent = 0;
  for (let last = await runOnce(); last.state === 'completed'; last = await runOnce()) spent++;
  expect(spent).toBeGreaterThan(1);
  await restoreHome(at.hub.home, file);
  expect(await runOnce()).toMatchObject({ state: 'failed', error: { code: 'budget_exceeded' } });
});
