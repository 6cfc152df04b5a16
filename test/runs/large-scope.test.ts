import { expect, it } from 'vitest';
import { call, lastResult, say, type Step } from '../fake-model/script.ts';
import { eventsOf, stage, testTool } from './run-stage.ts';

const config = (more: string) =>
  `[tools]\nsearch_above = 3\n[agents.ada]\nsystem_prompt = "x"\ntools = ["look", "send", "erase", "sources"]\n${more}\n`;

function tools() {
  const called: string[] = [];
  const noting = (name: string, isRead = false) =>
    testTool(name, async () => (called.push(name), `${name} done`), isRead);
  return { called, extensions: [{ tools: [noting('look', true), noting('send'), noting('erase')] }] };
}

const through = (name: string): Step => call('call_tool', { name, arguments: {} });

it('an agent with many tools calls them through call_tool, each by its own permission', async () => {
  const { called, extensions } = tools();
  const results: string[] = [];
  const noting =
    (answer: ReturnType<typeof say>): Step =>
    (request) => (results.push(lastResult(request)), answer);
  const steps = [
    through('look'),
    noting(call('call_tool', { name: 'send', arguments: {} })),
    noting(call('call_tool', { name: 'erase', arguments: {} })),
    noting(call('call_tool', { name: 'none', arguments: {} })),
    noting(say('Done.')),
  ];
  const approvals = 'tool_approvals = { send = "allow", erase = "deny" }';
  await using at = await stage(steps, config(approvals), { extensions });
  const { id } = (await at.hub.request('POST', '/api/runs', { agent: 'ada', prompt: 'Go' })).body;
  await eventsOf(at.hub, id);
  expect(at.model.requests[0]?.tools.map(({ name }) => name)).toEqual(['find_tools', 'call_tool']);
  expect(called).toEqual(['look', 'send']);
  expect(results[2]).toContain("PERMISSION_DENIED: 'erase' is not allowed for this agent.");
  expect(results[3]).toContain("TOOL_NOT_FOUND: 'none' does not exist.");
});

it('a person is asked about the tool behind call_tool', async () => {
  const { called, extensions } = tools();
  await using at = await stage([through('send'), say('Done.')], config(''), { extensions });
  const body = { agent: 'ada', prompt: 'Go', interactive: true };
  const { id } = (await at.hub.request('POST', '/api/runs', body)).body;
  const open = async () => (await at.hub.request('GET', '/api/questions')).body.questions;
  await expect.poll(async () => (await open()).length).toBe(1);
  const [question] = await open();
  expect(question.details).toMatchObject({ tool: 'send', arguments: {} });
  await at.hub.request('POST', `/api/questions/${question.id}/answer`, { answer: { decision: 'once' } });
  await eventsOf(at.hub, id);
  expect(called).toEqual(['send']);
});

it.each([
  ['itself', { name: 'call_tool', arguments: { name: 'erase', arguments: {} } }],
  ['itself twice', { name: 'call_tool', arguments: { name: 'call_tool', arguments: { name: 'erase' } } }],
  ['a name that is not text', { name: ['erase'], arguments: {} }],
])('call_tool with %s does not get around the permission of a tool', async (_case, input) => {
  const { called, extensions } = tools();
  const results: string[] = [];
  const steps: Step[] = [
    call('call_tool', input),
    (request) => (results.push(lastResult(request)), say('Done.')),
  ];
  const approvals = 'tool_permission = "never"\ntool_approvals = { erase = "deny" }';
  await using at = await stage(steps, config(approvals), { extensions });
  const { id } = (await at.hub.request('POST', '/api/runs', { agent: 'ada', prompt: 'Go' })).body;
  await eventsOf(at.hub, id);
  expect(called).toEqual([]);
  expect(results[0]).toMatch(/TOOL_NOT_FOUND|INVALID_ARGUMENTS/);
});

it('a run without anybody to ask finds tools, although all others need an approval', async () => {
  const { called, extensions } = tools();
  const steps = [call('find_tools', { query: 'look' }), through('look'), say('Done.')];
  const approvals = 'tool_permission = "always"\ntool_approvals = { look = "allow" }';
  await using at = await stage(steps, config(approvals), { extensions });
  const { id } = (await at.hub.request('POST', '/api/runs', { agent: 'ada', prompt: 'Go' })).body;
  await eventsOf(at.hub, id);
  expect(called).toEqual(['look']);
});
