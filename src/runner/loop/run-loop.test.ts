import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { call, fail, hang, say, type Step } from '../../../test/fake-model/script.ts';
import { type Format, formats, play, weather } from '../../../test/runs/play-loop.ts';
import { ZooError } from '../../contract/errors.ts';
import { NO_USAGE, type RunEvent, type ToolCallPart } from '../../contract/run.ts';
import { type ModelDelta, ModelFailure } from '../models/model.ts';
import type { ApprovalAnswer, RunLoopOptions } from './run-parts.ts';

const typesOf = (events: readonly RunEvent[]) => events.map(({ type }) => type);

describe.each(Object.keys(formats) as Format[])('over the wire format of %s', (format) => {
  it('calls a tool, and gives the model its result', async () => {
    const { outcome, events, requests, journal, problems, called } = await play(
      [call('weather', { city: 'Oslo' }), say('It is sunny in Oslo.\n\n    Take a hat.')],
      format,
    );
    expect(problems).toEqual([]);
    expect(outcome).toMatchObject({
      state: 'completed',
      reason: 'answered',
      text: 'It is sunny in Oslo.\n\n    Take a hat.',
      steps: 2,
      error: null,
    });
    expect(outcome.usage).toMatchObject({ inputTokens: 20, outputTokens: 10, usd: 0.002 });
    expect(called).toEqual([{ city: 'Oslo' }]);
    expect(requests[0]?.stream).toBe(true);
    expect(JSON.stringify(requests[0]?.body)).toContain('You are Ada.');
    expect(requests[0]?.messages).toContainEqual({
      role: 'user',
      text: 'What is the weather\nin Oslo?',
    });
    expect(requests[1]?.messages.at(-1)?.role).toBe('tool');
    expect(requests[1]?.messages.at(-1)?.text).toContain('Sunny in Oslo.');
    expect(journal).toEqual(['answered 1', 'started 1 weather', 'ended 1 weather', 'answered 2']);
    expect(typesOf(events).filter((type) => type !== 'text')).toEqual([
      'step-started',
      'usage',
      'tool-call',
      'tool-result',
      'step-started',
      'usage',
    ]);
  });

  it('streams text in pieces that add up', async () => {
    const { events } = await play([say('A longer answer, in several pieces.')], format);
    const pieces = events.flatMap((event) => (event.type === 'text' ? [event] : []));
    expect(pieces.length).toBeGreaterThan(1);
    let text = '';
    for (const piece of pieces) {
      expect(piece.offset).toBe(text.length);
      text += piece.text;
    }
    expect(text).toBe('A longer answer, in several pieces.');
  });

  it('retries when the provider is overloaded', async () => {
    const { outcome, events } = await play(
      [fail(500, 'overloaded'), fail(429, 'slow down'), say('Here.')],
      format,
    );
    expect(outcome).toMatchObject({ state: 'completed', text: 'Here.' });
    expect(events.filter(({ type }) => type === 'retry')).toHaveLength(2);
  });

  it('ends with the words of a provider that refuses', async () => {
    const { outcome } = await play([fail(400, 'credit balance is too low')], format);
    expect(outcome).toMatchObject({ state: 'failed', reason: 'error', error: { code: 'provider_error' } });
    expect(outcome.error?.message).toContain('credit balance is too low');
    expect(outcome.error?.message).not.toContain('sk-test');
  });
});

describe('a mistake of the model', () => {
  it('is an error result: an unknown tool, or one without permission', async () => {
    const lookup = { ...weather, name: 'send' };
    const { requests, called } = await play([
      (request) => {
        request.tools.push({ name: 'wether', description: '', schema: {} });
        return call('wether', {});
      },
      (request) => {
        request.tools.push({ name: lookup.name, description: '', schema: {} });
        return call('send', {});
      },
      say('Sorry.'),
    ]);
    expect(called).toEqual([]);
    expect(requests[1]?.messages.at(-1)?.text).toContain(
      "'wether' does not exist. Available: weather. Did you mean 'weather'?",
    );
    expect(requests[2]?.messages.at(-1)?.text).toContain('PERMISSION_DENIED');
  });

  it('makes no calls of its last step after a restart either', async () => {
    const openCalls = [{ type: 'tool-call', id: 'c1', name: 'weather', input: { city: 'Oslo' } } as const];
    const resume = { step: 6, usage: NO_USAGE, text: '', openCalls, results: [], isAnswered: false };
    const { outcome, called } = await play([], 'anthropic', { resume });
    expect([outcome.reason, outcome.steps, called]).toEqual(['max_turns', 6, []]);
  });

  it('ends after max_turns with the result so far', async () => {
    const endless: Step = { ...call('weather', { city: 'Oslo' }), text: 'Looking again.', again: true };
    const { outcome, called } = await play([endless], 'anthropic');
    // Nobody would see the results of the last calls.
    expect(called).toHaveLength(5);
    expect(outcome).toMatchObject({
      state: 'failed',
      reason: 'max_turns',
      text: 'Looking again.',
      steps: 6,
      error: { code: 'budget_exceeded' },
    });
  });
});

describe('a person who is asked', () => {
  const asking = (answer: ApprovalAnswer, asked: ToolCallPart[] = []): Partial<RunLoopOptions> => ({
    tools: {
      offered: [weather],
      searched: [],
      withheld: new Map(),
      approval: () => 'ask',
      ask: async (part) => {
        asked.push(part);
        return answer;
      },
      call: async (_, args) => ({ content: [{ type: 'text', text: JSON.stringify(args) }] }),
    },
  });

  it('declines, and the model gets the reason', async () => {
    const { requests } = await play(
      [call('weather', { city: 'Oslo' }), say('Then not.')],
      'anthropic',
      asking({ decision: 'deny', reason: 'too far north' }),
    );
    expect(requests[1]?.messages.at(-1)?.text).toContain(
      'The user declined this call. Reason: too far north',
    );
  });

  it('can change the arguments', async () => {
    const { requests } = await play(
      [call('weather', { city: 'Oslo' }), say('Done.')],
      'anthropic',
      asking({ decision: 'once', arguments: { city: 'Bergen' } }),
    );
    expect(requests[1]?.messages.at(-1)?.text).toContain('Bergen');
  });

  it('and confirms the arguments as they are has changed nothing', async () => {
    const { requests, events } = await play(
      [call('weather', { city: 'Oslo' }), say('Done.')],
      'anthropic',
      asking({ decision: 'once', arguments: { city: 'Oslo' } }),
    );
    expect(requests[1]?.messages.at(-1)?.text).not.toContain('changed');
    expect(events.find(({ type }) => type === 'tool-result')).not.toHaveProperty('editedArguments.city');
  });
});

it('cancelling stops the request', async () => {
  const controller = new AbortController();
  const { outcome } = await play(
    [
      async () => {
        controller.abort();
        return say('too late');
      },
    ],
    'anthropic',
    { signal: controller.signal },
  );
  expect(outcome).toMatchObject({ state: 'cancelled', reason: 'cancelled', text: '' });
});

it('a message in mid-run joins the next step', async () => {
  const waiting = [{ position: 0, parts: [{ type: 'text' as const, text: 'In Fahrenheit, please.' }] }];
  let steps = 0;
  const { requests, journal } = await play([call('weather', { city: 'Oslo' }), say('77 F.')], 'anthropic', {
    waitingMessages: async () => (++steps === 2 ? waiting.splice(0) : []),
  });
  expect(requests[1]?.messages.at(-1)?.text).toContain('In Fahrenheit, please.');
  expect(journal).toContain('joined 2');
});

it('a budget that runs out mid-run ends the run, and keeps the text so far', async () => {
  let requests = 0;
  const { outcome } = await play(
    [{ ...call('weather', { city: 'Oslo' }), text: 'One moment.' }, say('never')],
    'anthropic',
    {
      reserve: async () => {
        if (++requests > 1) {
          throw new ZooError('budget_exceeded', 'The next request would exceed the budget.');
        }
        return { settle: () => undefined };
      },
    },
  );
  expect(outcome).toMatchObject({
    state: 'failed',
    reason: 'budget',
    text: 'One moment.',
    error: { code: 'budget_exceeded' },
  });
});

it('a run that takes too long ends, and says so', async () => {
  const limits = { maxTurns: 6, maxOutputTokens: 500, wallMs: 10 };
  const { outcome } = await play([hang()], 'anthropic', { limits });
  expect(outcome).toMatchObject({
    state: 'failed',
    reason: 'max_seconds',
    error: { code: 'budget_exceeded', message: expect.stringContaining('timed out') },
  });
});

it('a call that exhausts the shared budget stops the other calls of its step', async () => {
  let isStopped = false;
  const { outcome } = await play(
    [{ calls: ['a', 'b'].map((city) => ({ tool: 'weather', arguments: { city } })) }],
    'anthropic',
    {
      tools: {
        offered: [weather],
        searched: [],
        withheld: new Map(),
        approval: () => 'allow',
        ask: () => Promise.reject(new Error('nobody to ask')),
        call: async (_, { city }, { signal }) => {
          if (city === 'a') throw new ZooError('budget_exceeded', 'The budget is spent.');
          await once(signal, 'abort');
          isStopped = true;
          return { content: [] };
        },
      },
    },
  );
  expect(outcome).toMatchObject({
    state: 'failed',
    reason: 'budget',
    error: { message: 'The budget is spent.' },
  });
  await expect.poll(() => isStopped).toBe(true);
});

it('keeps the partial answer of the last model only', async () => {
  const broken = (text: string, thought: number) => async () => ({
    price: () => 0,
    model: {
      id: text,
      provider: 'p',
      name: text,
      facts: {},
      answer: (_: unknown, onDelta: (delta: ModelDelta) => void) => {
        if (thought > 0) onDelta({ type: 'reasoning', part: 0, offset: 0, text: 'Hm' });
        onDelta({ type: 'text', part: thought, offset: 0, text: `${text} ` });
        onDelta({ type: 'text', part: thought, offset: text.length + 1, text: 'half' });
        onDelta({ type: 'text', part: thought + 2, offset: 0, text: '.' });
        return Promise.reject(new ModelFailure('fatal', 'Broken.'));
      },
    },
  });
  for (const thought of [0, 1]) {
    const models = [broken('first', 0), broken('second', thought)] as const;
    const { outcome, events } = await play([], 'anthropic', { models });
    expect(outcome).toMatchObject({ state: 'failed', text: 'second half.' });
    const [, ...rest] = typesOf(events).filter((type) => type !== 'text' && type !== 'reasoning');
    expect(rest).toEqual(['retry', 'error']);
  }
});
