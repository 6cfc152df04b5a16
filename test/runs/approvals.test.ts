import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PATIENCE } from '../patience.ts';
import { call, lastResult, say, type Step } from '../fake-model/script.ts';
import { type RunningHub, startHub } from '../start-hub.ts';
import { tempFolder } from '../temp-folder.ts';
import { eventsOf, stage, testTool } from './run-stage.ts';

const AGENT = '[agents.ada]\nsystem_prompt = "You are Ada."\ntools = ["send_mail", "sources"]\n';

function mailTool() {
  const sent: unknown[] = [];
  const tool = testTool('send_mail', async (args) => {
    sent.push(args);
    return 'Sent.';
  });
  return { sent, extensions: [{ tools: [tool] }] };
}

const start = async (hub: RunningHub, body: Record<string, unknown> = {}): Promise<string> =>
  (await hub.request('POST', '/api/runs', { agent: 'ada', prompt: 'Write', interactive: true, ...body })).body
    .id;

async function question(hub: RunningHub): Promise<Record<string, unknown>> {
  const open = async () => (await hub.request('GET', '/api/questions')).body.questions;
  await expect.poll(async () => (await open()).length).toBe(1);
  return (await open())[0];
}

const answer = (hub: RunningHub, { id }: Record<string, unknown>, body: Record<string, unknown>) =>
  hub.request('POST', `/api/questions/${String(id)}/answer`, { answer: body });

const two: Step[] = [call('send_mail', { to: 'a' }), call('send_mail', { to: 'b' }), say('Done.')];

describe('a tool that needs approval', () => {
  it('is called once a person has allowed it, and asked for again', async () => {
    const mail = mailTool();
    await using at = await stage(two, AGENT, mail);
    const id = await start(at.hub);
    const first = await question(at.hub);
    expect(first).toMatchObject({
      kind: 'approval',
      agentId: 'ada',
      asker: { kind: 'run', id },
      details: { displayName: 'send_mail', arguments: { to: 'a' } },
    });
    const state = async () => (await at.hub.request('GET', `/api/runs/${id}`)).body.state;
    await expect.poll(state).toBe('waiting');
    expect(mail.sent).toEqual([]);
    expect((await answer(at.hub, first, { decision: 'once' })).status).toBe(200);
    expect((await answer(at.hub, first, { decision: 'deny' })).status).toBe(409);
    const second = await question(at.hub);
    await answer(at.hub, second, { decision: 'deny', reason: 'one is enough' });
    const events = await eventsOf(at.hub, id);
    expect(mail.sent).toEqual([{ to: 'a' }]);
    const last = at.model.requests.at(-1);
    expect(last && lastResult(last)).toContain('The user declined this call. Reason: one is enough');
    expect(events.map(({ event }) => event.type)).toContain('approval-requested');
    expect(events.find(({ event }) => event.type === 'approval-answered').event.decision).toBe('once');
    expect(events.at(-1).event).toMatchObject({ type: 'done', state: 'completed' });
  });

  it('takes edited arguments, and is allowed for the rest of the run', async () => {
    const mail = mailTool();
    await using at = await stage(two, AGENT, mail);
    const id = await start(at.hub);
    await answer(at.hub, await question(at.hub), { decision: 'chat', arguments: { to: 'edited' } });
    const events = await eventsOf(at.hub, id);
    expect(mail.sent).toEqual([{ to: 'edited' }, { to: 'b' }]);
    const results = events.flatMap(({ event }) =>
      event.type === 'tool-result' ? [event.editedArguments] : [],
    );
    expect(results).toEqual([{ to: 'edited' }, undefined]);
    const second = at.model.requests[1];
    expect(second && lastResult(second)).toContain(
      'The user changed the arguments of this call to {"to":"edited"}',
    );
    const shown = (await at.hub.request('GET', `/api/runs/${id}/export?format=markdown`)).body;
    expect(JSON.stringify(shown)).toContain('changed the arguments');
  });

  it('is asked about for each call, also if the model gives two calls the same id', async () => {
    const mail = mailTool();
    const calls = ['a', 'b'].map((to) => ({ tool: 'send_mail', arguments: { to }, id: 'call_0' }));
    await using at = await stage([{ calls }, say('Done.')], AGENT, mail);
    const id = await start(at.hub);
    const open = async () => (await at.hub.request('GET', '/api/questions')).body.questions;
    await expect.poll(async () => (await open()).length).toBe(2);
    const [first, second] = await open();
    await answer(at.hub, first, { decision: 'once' });
    await answer(at.hub, second, { decision: 'deny' });
    await eventsOf(at.hub, id);
    expect(mail.sent).toEqual([first.details.arguments]);
    expect(at.model.problems).toEqual([]);
  });

  it('is asked for again if the workspace puts another agent in the place of the one that was allowed', async () => {
    const mail = mailTool();
    const steps = [
      call('send_mail', { to: 'a' }),
      say('Done.'),
      call('send_mail', { to: 'evil' }),
      say('Done.'),
    ];
    await using at = await stage(steps, AGENT, { ...mail, trustAll: true });
    const { id } = (await at.hub.request('POST', '/api/chats', { agent: 'ada' })).body;
    const send = () => at.hub.request('POST', `/api/chats/${id}/messages`, { message: 'Write' });
    const first = (await send()).body.runId;
    await answer(at.hub, await question(at.hub), { decision: 'chat' });
    await eventsOf(at.hub, first);
    await writeFile(join(at.hub.folder, 'zoo.toml'), AGENT.replace('You are Ada.', 'You are evil.'));
    const prompt = async () => (await at.hub.request('GET', '/api/agents/ada')).body.systemPrompt;
    await expect.poll(prompt, PATIENCE).toBe('You are evil.');
    const second = (await send()).body.runId;
    await answer(at.hub, await question(at.hub), { decision: 'deny' });
    await eventsOf(at.hub, second);
    expect(mail.sent).toEqual([{ to: 'a' }]);
  });

  it.each(['chat', 'always'])(
    'is asked for once if parallel calls are allowed with "%s"',
    async (decision) => {
      const mail = mailTool();
      const both: Step = { calls: ['a', 'b'].map((to) => ({ tool: 'send_mail', arguments: { to } })) };
      await using at = await stage([both, say('Done.')], AGENT, mail);
      const id = await start(at.hub);
      const open = async () => (await at.hub.request('GET', '/api/questions')).body.questions;
      await expect.poll(async () => (await open()).length).toBe(2);
      await answer(at.hub, (await open())[0], { decision });
      expect((await eventsOf(at.hub, id)).at(-1).event).toMatchObject({ state: 'completed', text: 'Done.' });
      expect(mail.sent).toHaveLength(2);
      expect(await open()).toEqual([]);
    },
  );

  it('refuses an answer that is not one', async () => {
    await using at = await stage(two, AGENT, mailTool());
    const id = await start(at.hub);
    const asked = await question(at.hub);
    expect((await answer(at.hub, asked, { decision: 'maybe' })).status).toBe(400);
    await at.hub.request('POST', `/api/runs/${id}/cancel`);
    expect((await at.hub.request('GET', `/api/questions/${String(asked['id'])}`)).body.status).toBe(
      'withdrawn',
    );
  });

  it('"always" is written to an agent of the editor, and to a file never', async () => {
    const mail = mailTool();
    await using at = await stage([...two, ...two], AGENT, mail);
    await at.hub.request('POST', '/api/agents', {
      id: 'eve',
      name: 'Eve',
      systemPrompt: 'You are Eve.',
      tools: ['send_mail'],
    });
    const ofEditor = await start(at.hub, { agent: 'eve' });
    await answer(at.hub, await question(at.hub), { decision: 'always' });
    await eventsOf(at.hub, ofEditor);
    expect((await at.hub.request('GET', '/api/agents/eve')).body.toolApprovals).toEqual({
      send_mail: 'allow',
    });
    const ofFile = await start(at.hub);
    await answer(at.hub, await question(at.hub), { decision: 'always' });
    const events = await eventsOf(at.hub, ofFile);
    expect(events.find(({ event }) => event.type === 'approval-answered').event.decision).toBe('chat');
    expect(events.find(({ event }) => event.type === 'warning').event.message).toContain('this run only');
    expect(mail.sent).toHaveLength(4);
  });

  it('is still asked for after a restart, and answered while no hub runs', async () => {
    const mail = mailTool();
    await using home = await tempFolder();
    await using folder = await tempFolder();
    const same = { ...mail, home: home.path, folder: folder.path };
    const first = await stage([call('send_mail', { to: 'a' })], AGENT, same);
    const id = await start(first.hub);
    const asked = await question(first.hub);
    await first[Symbol.asyncDispose]();
    await using at = await stage([say('After the restart.')], AGENT, same);
    expect(await question(at.hub)).toMatchObject({ id: asked['id'] });
    // Longer than the writes at the start of a run may take.
    await sleep(200);
    expect((await at.hub.request('GET', `/api/runs/${id}`)).body.state).toBe('waiting');
    await answer(at.hub, asked, { decision: 'once' });
    const events = await eventsOf(at.hub, id);
    expect(events.at(-1).event).toMatchObject({ state: 'completed', text: 'After the restart.' });
    expect(mail.sent).toEqual([{ to: 'a' }]);
  });
});

const rows = [
  { permission: 'always', approvals: '', offered: [] },
  { permission: 'never', approvals: '', offered: ['look', 'send_mail'] },
  { permission: 'tool', approvals: '', offered: ['look'] },
  { permission: 'tool', approvals: 'send_mail = "allow"', offered: ['look', 'send_mail'] },
  { permission: 'tool', approvals: 'look = "ask"', offered: [] },
  { permission: 'never', approvals: 'send_mail = "deny"', offered: ['look'] },
  { permission: 'always', approvals: 'look = "allow"', offered: ['look'] },
] as const;

it.each(rows)(
  'a headless run with tool_permission $permission and {$approvals} is offered $offered',
  async ({ permission, approvals, offered }) => {
    const tools = [testTool('send_mail', async () => 'Sent.'), testTool('look', async () => 'Seen.', true)];
    const config = `[agents.ada]\nsystem_prompt = "x"\ntools = ["send_mail", "look"]\ntool_permission = "${permission}"\ntool_approvals = { ${approvals} }\n`;
    await using at = await stage([say('ok')], config, { extensions: [{ tools }] });
    const id = await start(at.hub, { interactive: false });
    await eventsOf(at.hub, id);
    const [request = at.model.asides[0]] = at.model.requests;
    expect(request?.tools.map(({ name }) => name).toSorted()).toEqual(offered);
  },
);

const asked = [
  { permission: 'always', approvals: '', asks: ['look', 'send_mail'] },
  { permission: 'never', approvals: '', asks: [] },
  { permission: 'tool', approvals: '', asks: ['send_mail'] },
  { permission: 'tool', approvals: 'look = "ask", send_mail = "allow"', asks: ['look'] },
  { permission: 'never', approvals: 'send_mail = "ask"', asks: ['send_mail'] },
  { permission: 'always', approvals: 'look = "allow", send_mail = "deny"', asks: [] },
] as const;

it.each(asked)(
  'an interactive run with tool_permission $permission and {$approvals} asks for $asks',
  async ({ permission, approvals, asks }) => {
    const tools = [testTool('send_mail', async () => 'Sent.'), testTool('look', async () => 'Seen.', true)];
    const config = `[agents.ada]\nsystem_prompt = "x"\ntools = ["send_mail", "look", "sources"]\ntool_permission = "${permission}"\ntool_approvals = { sources = "allow", ${approvals} }\n`;
    const both: Step = (request) => ({
      calls: ['look', 'send_mail']
        .filter((name) => request.tools.some((tool) => tool.name === name))
        .map((tool) => ({ tool, arguments: {} })),
    });
    await using at = await stage([both, say('Done.')], config, { extensions: [{ tools }] });
    const id = await start(at.hub);
    const open = async () =>
      (await at.hub.request('GET', '/api/questions')).body.questions.map(
        ({ details }: { details: { tool: string } }) => details.tool,
      );
    await expect.poll(async () => (await open()).toSorted()).toEqual(asks);
    for (const { id: question } of (await at.hub.request('GET', '/api/questions')).body.questions)
      await answer(at.hub, { id: question }, { decision: 'once' });
    const events = await eventsOf(at.hub, id);
    expect(events.at(-1).event).toMatchObject({ state: 'completed', text: 'Done.' });
    const requested = events.filter(({ event }) => event.type === 'approval-requested');
    expect(requested.map(({ event }) => String(event.name)).toSorted()).toEqual(asks);
  },
);

it('a hub without providers refuses to start an interactive run', async () => {
  await using hub = await startHub({}, { own: { 'zoo.toml': AGENT }, env: { OLLAMA_HOST: '127.0.0.1:1' } });
  const { status } = await hub.request('POST', '/api/runs', {
    agent: 'ada',
    prompt: 'Hi',
    interactive: true,
    model: 'openai/x',
  });
  expect(status).toBe(503);
});
