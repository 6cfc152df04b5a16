import { describe, expect, it } from 'vitest';
import type { CallContext } from '../../src/contract/call.ts';
import { call, hang, lastResult, say, type Step, userText } from '../fake-model/script.ts';
import type { RunningHub } from '../start-hub.ts';
import { tempFolder } from '../temp-folder.ts';
import { eventsOf, stage, testTool } from './run-stage.ts';

const AGENT = '[agents.ada]\nsystem_prompt = "You are Ada."\ntools = ["sources"]\n';

const startRun = async (hub: RunningHub, body: Record<string, unknown> = {}): Promise<string> =>
  (await hub.request('POST', '/api/runs', { agent: 'ada', prompt: 'Hi', ...body })).body.id;
const runOf = async (hub: RunningHub, id: string) => (await hub.request('GET', `/api/runs/${id}`)).body;

/** A tool that runs another agent, as a published tool does. */
function delegation() {
  let hub: RunningHub | null = null;
  const contexts: CallContext[] = [];
  const tool = testTool(
    'delegate',
    async ({ agent }, { context }) => {
      if (!hub) throw new Error('no hub');
      contexts.push(context);
      const body = { agent: String(agent), prompt: `Work for ${context.agent}` };
      const { id } = await hub.hub.operations.startRun({ body }, context);
      for await (const { event } of hub.hub.operations.followRun({ id }, context)) {
        if (event.type === 'done') return `${event.state}: ${event.text}`;
      }
      throw new Error('no end');
    },
    true,
  );
  return { contexts, extensions: [{ tools: [tool] }], use: (running: RunningHub) => (hub = running) };
}

const chain = (limit: string) =>
  ['one', 'two', 'three']
    .map((name) => `[agents.${name}]\nsystem_prompt = "You are ${name}."\ntools = ["delegate"]\n`)
    .join('\n') + `\n[budget]\nrun = { tokens = ${limit} }\n[runner]\nmax_output_tokens = 100\n`;

describe('an agent that calls an agent', () => {
  it('spends from the budget of its caller, and tells how deep it is', async () => {
    const to = delegation();
    const steps = [call('delegate', { agent: 'two' }), call('delegate', { agent: 'three' })];
    await using at = await stage([...steps, say('3'), say('2'), say('1')], chain('2_000'), to);
    to.use(at.hub);
    const id = await startRun(at.hub, { agent: 'one' });
    await eventsOf(at.hub, id);
    expect(await runOf(at.hub, id)).toMatchObject({ state: 'completed', text: '1' });
    expect(to.contexts.map(({ depth, agent }) => [depth, agent])).toEqual([
      [1, 'one'],
      [2, 'two'],
    ]);
    const [first, second] = to.contexts.map(({ budget }) => budget.tokens ?? 0);
    expect(second).toBeLessThan(first ?? 0);
    const { runs } = (await at.hub.request('GET', '/api/runs')).body;
    const parents = new Map(
      runs.map((run: { agentId: string; parent: string | null }) => [run.agentId, run.parent]),
    );
    expect(parents.get('one')).toBeNull();
    expect(parents.get('two')).toBe(id);
  });

  it('stops the whole chain when the budget of the first is used up', async () => {
    const to = delegation();
    const again: Step = { ...call('delegate', { agent: 'three' }), again: true };
    const ended: Step = say('3');
    const answers = (request: Parameters<Extract<Step, (...args: never[]) => unknown>>[0]) =>
      request.system.includes('three')
        ? { ...ended, again: true }
        : request.system.includes('two')
          ? again
          : { ...call('delegate', { agent: 'two' }), again: true };
    await using at = await stage([answers], chain('1_500'), to);
    to.use(at.hub);
    const id = await startRun(at.hub, { agent: 'one' });
    await eventsOf(at.hub, id);
    expect(await runOf(at.hub, id)).toMatchObject({ state: 'failed', error: { code: 'budget_exceeded' } });
    const { runs } = (await at.hub.request('GET', '/api/runs?limit=1000')).body;
    const spent = runs.reduce(
      (sum: number, { usage }: { usage: { inputTokens: number; outputTokens: number } }) =>
        sum + usage.inputTokens + usage.outputTokens,
      0,
    );
    expect(spent).toBeLessThanOrEqual(1_500);
    expect(runs.length).toBeGreaterThan(2);
    expect(runs.filter(({ state }: { state: string }) => state === 'running')).toEqual([]);
  });

  it('ends with its caller', async () => {
    const to = delegation();
    await using at = await stage([call('delegate', { agent: 'two' }), hang()], chain('10_000'), to);
    to.use(at.hub);
    const id = await startRun(at.hub, { agent: 'one' });
    await expect.poll(() => at.model.requests.length).toBe(2);
    await at.hub.request('POST', `/api/runs/${id}/cancel`);
    const states = async () =>
      (await at.hub.request('GET', '/api/runs')).body.runs.map(({ state }: { state: string }) => state);
    await expect.poll(states).toEqual(['cancelled', 'cancelled']);
  });
});

it('events are followed from a number, also after a restart', async () => {
  await using home = await tempFolder();
  await using folder = await tempFolder();
  const same = { home: home.path, folder: folder.path };
  const first = await stage([call('sources'), say('None.')], AGENT, same);
  const id = await startRun(first.hub);
  const all = await eventsOf(first.hub, id);
  const middle = all.findIndex(({ event }) => event.type === 'tool-result');
  const rest = await eventsOf(first.hub, id, all[middle].seq);
  expect(rest).toEqual(all.slice(middle + 1));
  await first[Symbol.asyncDispose]();
  await using at = await stage([], AGENT, same);
  const stored = await eventsOf(at.hub, id);
  const types = (events: typeof all) =>
    events.map(({ event }) => event.type).filter((type) => type !== 'text');
  expect(types(stored)).toEqual(types(all));
  expect(stored.at(-1)).toEqual(all.at(-1));
  expect(await eventsOf(at.hub, id, all[middle].seq)).toEqual(
    stored.filter(({ seq }) => seq > all[middle].seq),
  );
});

it('a run takes a revision, or a definition that is not saved', async () => {
  const systems: string[] = [];
  const note: Step = (request) => {
    systems.push(`${request.system} [${request.tools.map(({ name }) => name).join()}]`);
    return say('ok');
  };
  await using at = await stage([note, note, note], AGENT);
  const { hub } = at;
  await hub.request('POST', '/api/agents', {
    id: 'eve',
    name: 'Eve',
    systemPrompt: 'First.',
    tools: ['search'],
  });
  await hub.request('PATCH', '/api/agents/eve', { systemPrompt: 'Second.' });
  for (const more of [{}, { revision: 1 }, { definition: { systemPrompt: 'Draft.', tools: ['sources'] } }]) {
    await eventsOf(hub, await startRun(hub, { agent: 'eve', ...more }));
  }
  expect(systems).toEqual(['Second. [search]', 'First. [search]', 'Draft. [sources]']);
  expect((await hub.request('GET', '/api/agents/eve')).body).toMatchObject({
    systemPrompt: 'Second.',
    revision: 2,
  });
});

it('zoo pause stops runs before their next request, and zoo resume continues them', async () => {
  await using at = await stage([say('Done.')], AGENT);
  await at.hub.request('POST', '/api/pause');
  const id = await startRun(at.hub);
  await expect.poll(async () => (await runOf(at.hub, id)).state).toBe('running');
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(at.model.requests).toEqual([]);
  await at.hub.request('POST', '/api/unpause');
  expect((await eventsOf(at.hub, id)).at(-1).event).toMatchObject({ state: 'completed' });
});

it('a message in mid-run joins the next step of a run, and a run that ended takes none', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const slow = testTool('slow', async () => (await held, 'Ready.'), true);
  const config = AGENT.replace('"sources"', '"slow"');
  await using at = await stage([call('slow'), say('Yes.')], config, { extensions: [{ tools: [slow] }] });
  const id = await startRun(at.hub);
  await expect.poll(() => at.model.requests.length).toBe(1);
  const send = () => at.hub.request('POST', `/api/runs/${id}/messages`, { message: 'Hurry.' });
  expect((await send()).status).toBe(204);
  release();
  await eventsOf(at.hub, id);
  expect(at.model.requests[1] && userText(at.model.requests[1])).toContain('Hurry.');
  expect((await send()).status).toBe(409);
  expect((await at.hub.request('DELETE', `/api/runs/${id}`)).status).toBe(204);
  expect((await at.hub.request('GET', `/api/runs/${id}`)).status).toBe(404);
});

it('100 runs at once do not mix', async () => {
  const answers: Step = (request) => {
    const own = /Number \d+/.exec(userText(request))?.[0] ?? '';
    return lastResult(request) === ''
      ? { ...call('echo', { text: own }), again: true }
      : { text: `${own}: ${lastResult(request)}`, again: true };
  };
  const echo = testTool('echo', async ({ text }) => `[${String(text)}]`, true);
  const config = AGENT.replace('"sources"', '"echo"');
  await using at = await stage([answers], config, { extensions: [{ tools: [echo] }], maxRequests: 300 });
  const ids = await Promise.all(
    Array.from({ length: 100 }, (_, n) => startRun(at.hub, { prompt: `Number ${n}` })),
  );
  const last = await Promise.all(ids.map(async (id) => (await eventsOf(at.hub, id)).at(-1).event));
  expect(last.map(({ text }) => text)).toEqual(ids.map((_, n) => `Number ${n}: [Number ${n}]`));
  expect(at.model.problems).toEqual([]);
});
