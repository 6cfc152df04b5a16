import { expect, it } from 'vitest';
import { call, say } from '../../../test/fake-model/script.ts';
import { play } from '../../../test/runs/play-loop.ts';
import { type ModelMessage, NO_USAGE } from '../../contract/run.ts';
import { ModelFailure, type ModelRequest } from '../models/model.ts';
import { fitContext } from './fit-context.ts';
import type { RunModel } from './run-parts.ts';

const countTokens = (text: string): number => Math.ceil(text.length / 4);
const user = (text: string): ModelMessage => ({ role: 'user', parts: [{ type: 'text', text }] });

it('a tool result that fills the window alone is shortened as far as needed, and the run goes on', async () => {
  const content = [{ type: 'text' as const, text: `first ${'x '.repeat(100_000)}last` }];
  const { outcome, requests, events } = await play(
    [call('weather', { city: 'Oslo' }), say('Sunny.')],
    'anthropic',
    { content },
    { contextWindow: 10_000 },
  );
  expect(outcome).toMatchObject({ state: 'completed', text: 'Sunny.' });
  const result = requests[1]?.messages.at(-1)?.text ?? '';
  expect(result).toMatch(/^first [^]*characters dropped to save room[^]*last$/);
  expect(result.length).toBeGreaterThan(8_000);
  expect(result.length).toBeLessThan(36_000);
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'context-shortened', message: expect.stringMatching(/^Shortened tool/) }),
  );
});

it('a conversation longer than the window is summarised from the part that fits', async () => {
  const text = 'word '.repeat(400);
  const messages = Array.from({ length: 20 }, (_, index): ModelMessage =>
    index === 13
      ? { role: 'tool', parts: [{ type: 'tool-result', id: 'c', name: 'send', content: [], isError: false }] }
      : index === 12
        ? { role: 'assistant', parts: [{ type: 'tool-call', id: 'c', name: 'send', input: { text } }] }
        : user(`${index} ${text}`),
  );
  let asked: readonly ModelMessage[] = [];
  const { note } = await fitContext(messages, {
    countTokens,
    room: 1_400,
    summarise: async (older) => {
      asked = older;
      return 'All is well.';
    },
  });
  expect(note).toContain('summary');
  // The call that the result belongs to does not fit.
  expect(asked).toEqual([user('[The beginning of the conversation was dropped]'), ...messages.slice(14, 16)]);
});

it('the next model takes over if the summary fails', async () => {
  const history = Array.from({ length: 12 }, (_, index) => user(`${index} ${'word '.repeat(1_000)}`));
  const opened = (id: string, contextWindow: number, answer: RunModel['model']['answer']) => async () => ({
    price: () => 0,
    model: { id, provider: id, name: id, facts: { contextWindow }, answer },
  });
  const seen: ModelRequest[] = [];
  const { outcome } = await play([], 'anthropic', {
    history,
    models: [
      opened('small', 8_000, () => Promise.reject(new ModelFailure('fatal', 'Out of order.'))),
      opened('large', 200_000, async (request) => {
        seen.push(request);
        return { parts: [{ type: 'text', text: 'Fine.' }], finish: 'stop', usage: NO_USAGE, warnings: [] };
      }),
    ],
  });
  expect(outcome).toMatchObject({ state: 'completed', text: 'Fine.' });
  expect(seen[0]?.messages).toEqual(history);
});

it('calls and results are summarised in words, since the request has no tools', async () => {
  const pair = (id: string): ModelMessage[] => [
    { role: 'assistant', parts: [{ type: 'tool-call', id, name: 'weather', input: { city: id } }] },
    {
      role: 'tool',
      parts: [
        {
          type: 'tool-result',
          id,
          name: 'weather',
          content: [{ type: 'text', text: `Sunny in ${id}.` }],
          isError: false,
        },
      ],
    },
  ];
  const long = user('word '.repeat(1_000));
  const history = [long, ...pair('Oslo'), long, ...pair('Rome'), long, ...pair('Paris')];
  const seen: ModelRequest[] = [];
  const answer: RunModel['model']['answer'] = async (request) => {
    seen.push(request);
    return { parts: [{ type: 'text', text: 'Fine.' }], finish: 'stop', usage: NO_USAGE, warnings: [] };
  };
  const model = { id: 'p/m', provider: 'p', name: 'm', facts: { contextWindow: 4_500 }, answer };
  await play([], 'anthropic', { history, models: [async () => ({ price: () => 0, model })] });
  const [summary] = seen;
  expect(summary?.tools).toEqual([]);
  const sent = JSON.stringify(summary?.messages);
  expect(sent).not.toMatch(/tool-call|tool-result/);
  expect(sent).toContain('[Called weather with');
  expect(sent).toContain('Sunny in Oslo.');
});

it('a result that was shortened before still says how much is missing', async () => {
  const result = (text: string): ModelMessage => ({
    role: 'tool',
    parts: [
      { type: 'tool-result', id: 'c', name: 'read', content: [{ type: 'text', text }], isError: false },
    ],
  });
  const asked: ModelMessage = {
    role: 'assistant',
    parts: [{ type: 'tool-call', id: 'c', name: 'read', input: {} }],
  };
  const rest = Array.from({ length: 4 }, () => user('word '.repeat(200)));
  const options = { countTokens, room: 1_500, summarise: async () => 'All is well.' };
  const first = await fitContext([asked, result('x'.repeat(10_000)), ...rest], options);
  expect(JSON.stringify(first.messages)).toContain('8800 characters dropped');
  const grown = [...first.messages, asked, result('y'.repeat(4_000)), ...rest];
  const second = await fitContext(grown, { ...options, room: 3_000 });
  expect(second.note).toContain('Shortened older tool results');
  expect(JSON.stringify(second.messages)).toContain('8800 characters dropped');
});

it('a result is not cut in the middle of an emoji, which providers refuse', async () => {
  const content = [{ type: 'text' as const, text: `x${'🦜'.repeat(5_000)}x` }];
  const messages: ModelMessage[] = [
    { role: 'assistant', parts: [{ type: 'tool-call', id: 'c', name: 'read', input: {} }] },
    { role: 'tool', parts: [{ type: 'tool-result', id: 'c', name: 'read', content, isError: false }] },
    ...Array.from({ length: 4 }, () => user('Hi')),
  ];
  const fitted = await fitContext(messages, { countTokens, room: 1_500, summarise: async () => '' });
  const [text = ''] = fitted.messages.flatMap((message) =>
    message.role === 'tool' ? JSON.stringify(message.parts) : [],
  );
  expect(text).toContain('characters dropped');
  expect(text).not.toMatch(/\\ud/i);
});
