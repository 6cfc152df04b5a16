import { describe, expect, it } from 'vitest';
import { call, say, type Step, userText } from '../fake-model/script.ts';
import type { RunningHub } from '../start-hub.ts';
import { eventsOf, stage, testTool } from './run-stage.ts';

/** A window that two long messages fill. */
const CONFIG = `[runner]
max_output_tokens = 200
[providers.anthropic.models."claude-sonnet-4-5"]
context_window = 4000
[agents.ada]
system_prompt = "You are Ada."
tools = ["sources"]
`;
const LONG = 'The quick brown fox jumps over the lazy dog. '.repeat(120);

async function ask(hub: RunningHub, chat: string, message: string) {
  const { runId } = (await hub.request('POST', `/api/chats/${chat}/messages`, { message })).body;
  return (await eventsOf(hub, runId)).map(({ event }) => event);
}

describe('a chat that outgrows the context window', () => {
  it('continues with a summary by the same model, and says so', async () => {
    const steps: Step[] = Array.from({ length: 6 }, (_, index) => say(`Answer ${index + 1}.`));
    await using at = await stage(steps, CONFIG);
    const chat = (await at.hub.request('POST', '/api/chats', { agent: 'ada' })).body.id;
    const shortened: string[] = [];
    for (let turn = 1; turn <= 6; turn++) {
      const events = await ask(at.hub, chat, `Message ${turn}. ${LONG}`);
      expect(events.at(-1)).toMatchObject({ state: 'completed', text: `Answer ${turn}.` });
      for (const event of events) if (event.type === 'context-shortened') shortened.push(event.message);
    }
    expect(shortened[0]).toMatch(/^Replaced \d+ older messages by a summary/);
    const [summary] = at.model.asides;
    expect(summary && userText(summary)).toMatch(/Message 1[^]*Summarise the conversation above/);
    const last = at.model.requests.at(-1);
    const told = last ? userText(last) : '';
    expect(told).toContain('[Summary of the conversation so far]\nok');
    expect(told).not.toContain('Message 1.');
    expect(told).toContain('Message 6.');
    const { history } = (await at.hub.request('GET', `/api/chats/${chat}`)).body;
    expect(history).toHaveLength(6);
  });

  it('shortens old tool results first', async () => {
    const read = testTool('read', async () => LONG, true);
    const config = CONFIG.replace('"sources"', '"read"');
    const again: Step[] = Array.from({ length: 5 }, () => call('read'));
    await using at = await stage([...again, say('Done.')], config, { extensions: [{ tools: [read] }] });
    const { id } = (await at.hub.request('POST', '/api/runs', { agent: 'ada', prompt: 'Read it.' })).body;
    const events = (await eventsOf(at.hub, id)).map(({ event }) => event);
    expect(events.at(-1)).toMatchObject({ state: 'completed', text: 'Done.' });
    const notes = events.filter(({ type }) => type === 'context-shortened').map(({ message }) => message);
    expect(notes[0]).toMatch(/^Shortened older tool results/);
    const results = at.model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
    expect(results[0]?.text).toContain('characters dropped to save room');
    expect(results.at(-1)?.text).toContain(LONG.trim());
  });
});

describe('settings of the model', () => {
  it('are sent with each request: of the call, else of the config', async () => {
    const config = `[runner]\ntemperature = 0.3\nmax_output_tokens = 321\n[agents.ada]\nsystem_prompt = "x"\ntools = ["sources"]\n`;
    await using at = await stage([say('One.'), say('Two.'), say('Three.')], config);
    const bodies = () => at.model.requests.map(({ body }) => body);
    const start = async (more: object) => {
      const body = { agent: 'ada', prompt: 'Hi', ...more };
      await eventsOf(at.hub, (await at.hub.request('POST', '/api/runs', body)).body.id);
    };
    await start({});
    await start({ temperature: 0.9 });
    await start({ effort: 'high' });
    expect(bodies()[0]).toMatchObject({ temperature: 0.3, max_tokens: 321 });
    expect(bodies()[1]).toMatchObject({ temperature: 0.9 });
    expect(JSON.stringify(bodies()[2])).toMatch(/"thinking":|"effort":"high"/);
  });
});
