import { describe, expect, it } from 'vitest';
import { call, fail, lastResult, say, type Step } from '../../../test/fake-model/script.ts';
import { type Format, formats, play, weather } from '../../../test/runs/play-loop.ts';
import { ZooError } from '../../contract/errors.ts';
import type { RunEvent } from '../../contract/run.ts';
import type { ToolResult } from '../../contract/tool.ts';

const retriesOf = (events: readonly RunEvent[]) => events.filter(({ type }) => type === 'retry');

describe.each(Object.keys(formats) as Format[])('over the wire format of %s', (format) => {
  it('asks again after a stream that was cut in the middle, and keeps nothing of it', async () => {
    const cut: Step = { ...say('Lost in the middle of a long answer.'), cutAfter: 3 };
    const { outcome, events } = await play([cut, say('Whole.')], format);
    expect(outcome).toMatchObject({ state: 'completed', text: 'Whole.', steps: 1, error: null });
    expect(retriesOf(events)).toHaveLength(1);
  });

  it('asks again after an event that is not JSON', async () => {
    const garbled: Step = { ...say('Some text in several pieces.'), garbled: true };
    const { outcome, events } = await play([garbled, say('Whole.')], format);
    expect(outcome).toMatchObject({ state: 'completed', text: 'Whole.' });
    expect(retriesOf(events)).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/^The answer of .+ cannot be read: it is not JSON: {"type": "cont\.$/),
      }),
    ]);
  });

  it('waits for the retry-after of a 429, and fails if that is too long', async () => {
    const waits: number[] = [];
    const sleep = async (ms: number) => void waits.push(ms);
    const soon = fail(429, 'slow down', { 'retry-after': '7' });
    expect((await play([soon, say('Here.')], format, { sleep })).outcome.text).toBe('Here.');
    expect(waits).toEqual([7_000]);
    const never = fail(429, 'out of quota', { 'retry-after': '86400' });
    expect((await play([never], format, { sleep })).outcome).toMatchObject({
      state: 'failed',
      error: { code: 'provider_error', message: expect.stringContaining('out of quota') },
    });
  });

  it('fails after five server errors', async () => {
    const broken: Step[] = Array.from({ length: 5 }, () => fail(500, 'broken'));
    const { outcome, events } = await play(broken, format);
    expect(outcome).toMatchObject({ state: 'failed', error: { code: 'provider_error' } });
    expect(retriesOf(events)).toHaveLength(4);
  });

  it('ends with a refusal of the model', async () => {
    const { outcome } = await play([{ text: 'I cannot', refused: true }], format);
    expect(outcome).toMatchObject({
      state: 'failed',
      reason: 'refusal',
      error: { message: 'The model declined to answer.' },
    });
  });

  it('says that an answer was cut off at its limit', async () => {
    const { outcome, events } = await play([{ text: 'As I was say', truncated: true }], format);
    expect(outcome).toMatchObject({ state: 'completed', reason: 'max_output_tokens', text: 'As I was say' });
    expect(events.filter(({ type }) => type === 'warning')).toHaveLength(1);
  });

  it('shortens the conversation when it is too long for the model', async () => {
    const overflow = fail(400, 'prompt is too long: 250000 tokens > 200000 maximum');
    const big = 'x'.repeat(12_000);
    const history = [
      { role: 'user' as const, parts: [{ type: 'text' as const, text: 'Look' }] },
      {
        role: 'assistant' as const,
        parts: [{ type: 'tool-call' as const, id: 'c1', name: 'weather', input: {} }],
      },
      {
        role: 'tool' as const,
        parts: [
          {
            type: 'tool-result' as const,
            id: 'c1',
            name: 'weather',
            content: [{ type: 'text' as const, text: big }],
            isError: false,
          },
        ],
      },
      ...['a', 'b', 'c', 'd'].flatMap((text) => [
        { role: 'assistant' as const, parts: [{ type: 'text' as const, text }] },
        { role: 'user' as const, parts: [{ type: 'text' as const, text }] },
      ]),
    ];
    const facts = { contextWindow: 6_000 };
    const { outcome, events, journal, requests } = await play(
      [overflow, say('Fits.')],
      format,
      { history },
      facts,
    );
    expect(outcome).toMatchObject({ state: 'completed', text: 'Fits.' });
    expect(events.find(({ type }) => type === 'context-shortened')).toBeDefined();
    expect(journal).toContain('shortened 1');
    expect(JSON.stringify(requests[1]?.body)).toContain('characters dropped');
  });

  it('makes parallel calls side by side, and gives each its result', async () => {
    let running = 0;
    let most = 0;
    const tools = toolsWith(async (args) => {
      most = Math.max(most, ++running);
      await expect.poll(() => most).toBe(2);
      running--;
      return { content: [{ type: 'text', text: `Sunny in ${String(args['city'])}.` }] };
    });
    const both = { calls: ['Oslo', 'Rome'].map((city) => ({ tool: 'weather', arguments: { city } })) };
    const { requests } = await play([both, say('Both sunny.')], format, { tools });
    expect(most).toBe(2);
    const results = requests[1]?.messages.filter(({ role }) => role === 'tool').map(({ text }) => text);
    expect(results?.join()).toContain('Oslo');
    expect(results?.join()).toContain('Rome');
  });

  it('tells the model about a tool that does not exist, and about wrong arguments', async () => {
    const tools = toolsWith(() => {
      throw new ZooError('invalid_arguments', 'weather: city must be string');
    });
    const invented: Step = { calls: [{ tool: 'wether', arguments: {}, invented: true }] };
    const { outcome, requests } = await play(
      [invented, call('weather', { city: 5 }), say('I give up.')],
      format,
      { tools },
    );
    expect(outcome).toMatchObject({ state: 'completed', text: 'I give up.' });
    expect(requests[1] && lastResult(requests[1])).toContain("Did you mean 'weather'?");
    expect(requests[2] && lastResult(requests[2])).toContain(
      'INVALID_ARGUMENTS: weather: city must be string',
    );
  });

  it('ends endless tool calls at max_turns', async () => {
    const endless: Step = { ...call('weather', { city: 'Oslo' }), again: true };
    expect((await play([endless], format)).outcome).toMatchObject({
      steps: 6,
      error: { code: 'budget_exceeded' },
    });
  });

  it('stops the request of a run that is cancelled', async () => {
    const stop = new AbortController();
    const hang: Step = async () => {
      setTimeout(() => stop.abort(), 20);
      await new Promise((resolve) => setTimeout(resolve, 200));
      return say('too late');
    };
    const { outcome } = await play([hang], format, { signal: stop.signal });
    expect(outcome).toMatchObject({ state: 'cancelled', text: '' });
  });

  it('passes on temperature, effort and the schema of the answer', async () => {
    const outputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const { requests, problems } = await play([say('{"city":"Oslo"}')], format, {
      effort: 'low',
      outputSchema,
    });
    expect(problems).toEqual([]);
    const sent = JSON.stringify(requests[0]?.body);
    expect(sent).toMatch(/reasoning|thinking/i);
    expect(sent).toContain('"city"');
  });
});

it.each(['anthropic', 'ollama'] as const)('a call that %s cuts off is paid for', async (format) => {
  const spent: number[] = [];
  const cut: Step = {
    ...call('weather', { city: 'Oslo '.repeat(100) }),
    cutAfter: format === 'ollama' ? 3 : 4,
  };
  await play([cut, say('Sunny.')], format, {
    reserve: async () => ({ settle: ({ tokens }) => void spent.push(tokens) }),
  });
  expect(spent).toHaveLength(2);
  expect(spent[0]).toBeGreaterThan(0);
});

it('marks the stable part of the prompt for the cache', async () => {
  const { requests } = await play([call('weather', { city: 'Oslo' }), say('Sunny.')], 'anthropic');
  expect(requests[0]?.body).toMatchObject({
    system: [{ text: 'You are Ada.', cache_control: { type: 'ephemeral' } }],
  });
});

it('falls back to the next model, and says so', async () => {
  const { outcome, events } = await play(
    [fail(400, 'no such model'), say('From the second.')],
    'anthropic',
    {},
    {},
    2,
  );
  expect(outcome).toMatchObject({ state: 'completed', text: 'From the second.' });
  expect(retriesOf(events)).toMatchObject([
    { message: expect.stringMatching(/no such model.* Continuing with /), afterMs: 0 },
  ]);
});

function toolsWith(execute: (args: Record<string, unknown>) => Promise<ToolResult>) {
  return {
    offered: [weather],
    searched: [],
    withheld: new Map<string, string>(),
    approval: () => 'allow' as const,
    ask: () => Promise.reject(new Error('nobody to ask')),
    call: (_: unknown, args: Record<string, unknown>) => execute(args),
  };
}
