import { expect, it } from 'vitest';
import type { ModelMessage } from '../../../contract/run.ts';
import type { Wire } from '../provider.ts';
import { callOptions } from './call-options.ts';

function promptOf(wire: Wire, messages: readonly ModelMessage[]) {
  const request = { system: '', messages, tools: [], maxOutputTokens: 100 };
  const { signal } = new AbortController();
  return callOptions({ wire, isLocal: false, model: 'm' }, { ...request, signal }, {}).prompt;
}

it('Anthropic can continue a conversation with ids of other providers', () => {
  const id = 'functions.send:0';
  const messages: ModelMessage[] = [
    { role: 'assistant', parts: [{ type: 'tool-call', id, name: 'send', input: {} }] },
    { role: 'tool', parts: [{ type: 'tool-result', id, name: 'send', content: [], isError: false }] },
  ];
  const ids = (wire: Wire) => JSON.stringify(promptOf(wire, messages)).match(/(?<="toolCallId":")[^"]*/g);
  expect(ids('anthropic')).toEqual(['functions_send_0', 'functions_send_0']);
  expect(ids('openai-compatible')).toEqual([id, id]);
});

it('an answer without content is left out, and so is blank text where Anthropic refuses it', () => {
  const user: ModelMessage = { role: 'user', parts: [{ type: 'text', text: 'Hi' }] };
  const call = { type: 'tool-call', id: 'c', name: 'send', input: {} } as const;
  const blank = { type: 'text', text: '\n\n' } as const;
  const messages: ModelMessage[] = [
    user,
    { role: 'assistant', parts: [] },
    user,
    { role: 'assistant', parts: [blank, call] },
  ];
  const types = (wire: Wire) =>
    promptOf(wire, messages).map(({ content }) =>
      typeof content === 'string' ? content : content.map(({ type }) => type),
    );
  expect(types('anthropic')).toEqual([['text'], ['text'], ['tool-call']]);
  expect(types('openai')).toEqual([['text'], ['text'], ['text', 'tool-call']]);
});

it.each([
  ['anthropic', ['anthropic']],
  ['openai', ['openai']],
  ['google', ['google', 'none']],
  ['openai-compatible', ['none']],
] as const)('%s gets reasoning of %s only', (wire, expected) => {
  const thought = (from: string) => ({
    type: 'reasoning' as const,
    text: from,
    ...(from === 'none' ? {} : { provider: { [from]: { signature: 's' } } }),
  });
  const parts = ['anthropic', 'openai', 'google', 'none'].map(thought);
  const [message] = promptOf(wire, [{ role: 'assistant', parts }]);
  const sent = Array.isArray(message?.content) ? message.content : [];
  expect(sent.map((part) => ('text' in part ? part.text : part.type))).toEqual(expected);
});
