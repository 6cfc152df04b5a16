import { expect, test } from 'vitest';
import { call, say, type Step } from '../fake-model/script.ts';
import { hubWithModel } from '../fake-model/hub-with-model.ts';
import { poll } from './team-stage.ts';
import type { TeamDetails } from '../../src/contract/team.ts';

const CONFIG = `
[team]
sandbox = "off"
[runner]
model = "anthropic/claude-fake"
[agents.lead]
system_prompt = "You lead."
tools = ["sources"]
[agents.helper]
system_prompt = "You help."
tools = []
`;

/** What each member does depends on its last message; after a tool it ends its turn. */
const play: Step = ({ messages, system, tools }) => {
  const last = messages.at(-1);
  if (!last || last.role === 'tool') return { ...say('I am waiting.'), again: true };
  const next = (() => {
    if (last.text.includes('Start.')) {
      const spawn = { name: 'helper', agent: 'helper', instructions: 'Say hello.' };
      return call('spawn_agent', spawn);
    }
    if (last.text.includes('Say hello.')) {
      if (!system.includes('You help.') || tools.some(({ name }) => name === 'sources'))
        return say('wrong scope');
      return call('send_message', { recipient: 'root', text: 'hello from helper', sync: false });
    }
    if (last.text.includes('hello from helper')) return call('complete', { result: 'all said' });
    return say('Nothing to do.');
  })();
  return { ...next, again: true };
};

test("members of the hub's own runner spawn, message and complete like all others", async () => {
  await using at = await hubWithModel([play], CONFIG, {}, { maxRequests: 50 });
  at.hub.hub.announce(at.hub.url);
  const members = [{ name: 'root', harness: 'model', agent: 'lead', task: 'Start.' }];
  const started = await at.hub.request('POST', '/api/teams', { members });
  expect([started.status, started.body]).toEqual([201, expect.anything()]);
  const { id } = started.body;
  const team = await poll(
    'the end of the team',
    async (): Promise<TeamDetails> => (await at.hub.request('GET', `/api/teams/${id}`)).body,
    ({ state }) => state === 'done',
  );
  expect(team.members.map(({ name, harness, agentId }) => [name, harness, agentId])).toEqual([
    ['root', 'model', 'lead'],
    ['helper', 'model', 'helper'],
  ]);
  expect(team.spent.tokens).toBeGreaterThan(0);
  const inbox = await at.hub.request('POST', `/api/teams/${id}/inbox`);
  expect(inbox.body.messages.map(({ text }: { text: string }) => text)).toEqual(['all said']);
  const { body } = await at.hub.request('GET', `/api/teams/${id}/members/root/turns`);
  expect(body.turns.at(-1).tools).toEqual(['spawn_agent']);
  const { calls } = await poll(
    'the recorded calls',
    async () => (await at.hub.request('GET', '/api/activity')).body,
    (activity) => activity.calls.some(({ tool }: { tool: string }) => tool === 'complete'),
  );
  expect(calls[0]).toMatchObject({ tool: 'complete', surface: 'team', agentId: 'lead' });
  const { runs } = (await at.hub.request('GET', '/api/runs')).body;
  expect(runs[0]).toMatchObject({ surface: 'team' });
});

test("a member of the hub's own runner stops when its budget is used up", async () => {
  await using at = await hubWithModel([{ ...say('Done.'), again: true }], CONFIG, {}, { maxRequests: 50 });
  at.hub.hub.announce(at.hub.url);
  const members = [{ name: 'root', harness: 'model', agent: 'lead', task: 'Start.', budget: { tokens: 1 } }];
  const { body } = await at.hub.request('POST', '/api/teams', { members });
  const get = async (): Promise<TeamDetails> => (await at.hub.request('GET', `/api/teams/${body.id}`)).body;
  await poll(
    'the first turn',
    get,
    (team) => (team.members[0]?.spent.turns ?? 0) > 0 && team.members[0]?.state !== 'busy',
  );
  await at.hub.request('POST', `/api/teams/${body.id}/messages`, { to: 'root', text: 'More.' });
  const team = await poll('the refusal', get, ({ state }) => state === 'failed');
  expect(team.members[0]?.reason).toMatch(/budget/);
});

test('the harness `model` needs an agent', async () => {
  await using at = await hubWithModel([], CONFIG);
  at.hub.hub.announce(at.hub.url);
  const members = [{ name: 'root', harness: 'model', task: 'Start.' }];
  const { status, body } = await at.hub.request('POST', '/api/teams', { members });
  expect([status, body.error.message]).toEqual([
    400,
    "Member 'root' needs an agent for the harness 'model'.",
  ]);
});
