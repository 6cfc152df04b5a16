import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { call, fail, say, type Step } from '../fake-model/script.ts';
import { hubWithModel } from '../fake-model/hub-with-model.ts';
import { type RunningHub, startHub, type StartOptions } from '../start-hub.ts';

const AGENT = `
[agents.ada]
system_prompt = "You are Ada."
tools = ["search", "sources"]
`;

const stage = (steps: readonly Step[], config = AGENT, options: StartOptions = {}) =>
  hubWithModel(steps, config, options);

async function finished(hub: RunningHub, id: string): Promise<Record<string, unknown>[]> {
  const { body } = await hub.request('GET', `/api/runs/${id}/events`);
  return String(body)
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)).event);
}

describe('a run over HTTP', () => {
  it('stops at max_turns with that reason, and makes no calls whose results nobody sees', async () => {
    const steps = [call('sources'), call('sources')];
    await using at = await stage(steps, `[runner]\nmax_turns = 2\n${AGENT}`);
    const { body } = await at.hub.request('POST', '/api/runs', { agent: 'ada', prompt: 'Go on.' });
    const events = await finished(at.hub, body.id);
    expect(events.filter(({ type }) => type === 'tool-call')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'done', state: 'failed', reason: 'max_turns', steps: 2 });
    const { endReason, error } = (await at.hub.request('GET', `/api/runs/${body.id}`)).body;
    expect(endReason).toBe('max_turns');
    expect(error.message).toContain('Raise [runner] max_turns');
  });

  it('answers 202 at once, streams its events, and is kept with every step', async () => {
    const slow: Step = async () => {
      await sleep(30);
      return say('There are no sources.');
    };
    await using at = await stage([call('sources'), slow]);
    const { status, body } = await at.hub.request('POST', '/api/runs', {
      agent: 'ada',
      prompt: 'Which sources?',
    });
    expect({ status, state: body.state }).toEqual({ status: 202, state: 'queued' });
    const events = await finished(at.hub, body.id);
    expect(events[0]).toMatchObject({ type: 'run-started', model: 'anthropic/claude-sonnet-4-5' });
    expect(events.at(-1)).toMatchObject({
      type: 'done',
      state: 'completed',
      reason: 'answered',
      text: 'There are no sources.',
      steps: 2,
    });
    const run = (await at.hub.request('GET', `/api/runs/${body.id}`)).body;
    expect(run).toMatchObject({
      state: 'completed',
      endReason: 'answered',
      agentId: 'ada',
      system: expect.stringContaining('You are Ada.'),
    });
    expect(
      run.stepsTaken.map(({ messages }: { messages: { role: string }[] }) =>
        messages.map(({ role }) => role),
      ),
    ).toEqual([['assistant', 'tool'], ['assistant']]);
    expect(run.stepsTaken[1].durationMs).toBeGreaterThanOrEqual(29);
    expect(run.usage.usd).toBeGreaterThan(0);
    expect(JSON.stringify(run)).not.toContain('sk-secret');
    expect((await at.hub.request('GET', '/api/runs')).body).toMatchObject({
      total: 1,
      runs: [{ id: body.id }],
    });
  });

  it('is offered only tools that need no permission', async () => {
    const config = '[agents.ada]\nsystem_prompt = "x"\ntools = ["*"]\n';
    await using at = await stage([say('ok')], config);
    const { body } = await at.hub.request('POST', '/api/runs', { agent: 'ada', prompt: 'Hi' });
    await finished(at.hub, body.id);
    const names = at.model.requests[0]?.tools.map(({ name }) => name) ?? [];
    expect(names).toContain('search');
    expect(names).not.toContain('agent_zoo_delete_brain_entry');
  });

  it('names the missing keys if no provider is configured', async () => {
    await using hub = await startHub({}, { own: { 'zoo.toml': AGENT } });
    const { status, body } = await hub.request('POST', '/api/runs', {
      agent: 'ada',
      prompt: 'Hi',
      model: 'openai/gpt-5',
    });
    expect(status).toBe(503);
    expect(body.error.message).toContain("'openai/gpt-5'");
    const without = await hub.request('POST', '/api/runs', { agent: 'ada', prompt: 'Hi' });
    expect(without.body.error.message).toMatch(
      /zoo secret set ANTHROPIC_API_KEY[^]*add \[providers\.NAME\][^]*Ollama/,
    );
    const providers = (await hub.request('GET', '/api/providers')).body.providers;
    expect(providers.find(({ name }: { name: string }) => name === 'anthropic').missing).toContain(
      'ANTHROPIC_API_KEY',
    );
  });

  it('does not run an agent of an unapproved workspace', async () => {
    await using at = await stage([], '', {});
    await using hub = await startHub(
      { 'zoo.toml': `${AGENT}\n[tools.mcp.x]\ncommand = "true"\n` },
      {
        env: { ANTHROPIC_API_KEY: 'k-of-tests', ANTHROPIC_BASE_URL: at.model.url },
      },
    );
    expect(await hub.request('POST', '/api/runs', { agent: 'ada', prompt: 'Hi' })).toMatchObject({
      status: 403,
    });
  });

  it('rejects a request beyond the daily budget', async () => {
    await using at = await stage([say('never')], `${AGENT}\n[budget]\nagent_day = { tokens = 100 }\n`);
    const { body } = await at.hub.request('POST', '/api/runs', { agent: 'ada', prompt: 'Hi' });
    await finished(at.hub, body.id);
    const run = (await at.hub.request('GET', `/api/runs/${body.id}`)).body;
    expect(run).toMatchObject({ state: 'failed', error: { code: 'budget_exceeded' } });
    expect(at.model.requests).toEqual([]);
  });

  it('fails with the error of the provider', async () => {
    await using at = await stage([fail(400, 'credit balance is too low')]);
    const { body } = await at.hub.request('POST', '/api/runs', { agent: 'ada', prompt: 'Hi' });
    expect((await finished(at.hub, body.id)).at(-2)).toMatchObject({ type: 'error', code: 'provider_error' });
  });
});
