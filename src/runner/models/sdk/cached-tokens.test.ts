import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { type Format, formats } from '../../../../test/runs/play-loop.ts';
import { listProviders } from '../configured-providers.ts';
import { openModel } from './open-model.ts';

const data = (events: readonly { type?: string; [field: string]: unknown }[]): string =>
  events
    .map((event) => `${event.type ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
    .join('');

/** 1,000 tokens, of which 700 were cached before; Anthropic also tells those that it has cached now. */
const streams = {
  anthropic: data([
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        usage: {
          input_tokens: 100,
          cache_read_input_tokens: 700,
          cache_creation_input_tokens: 200,
          output_tokens: 1,
        },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 5 },
    },
    { type: 'message_stop' },
  ]),
  ollama: `${data([
    { id: 'c', choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' }, finish_reason: null }] },
    { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    {
      id: 'c',
      choices: [],
      usage: {
        prompt_tokens: 1_000,
        completion_tokens: 5,
        total_tokens: 1_005,
        prompt_tokens_details: { cached_tokens: 700 },
      },
    },
  ])}data: [DONE]\n\n`,
} satisfies Partial<Record<Format, string>>;

it.each([
  ['anthropic', { inputTokens: 1_000, cachedTokens: 700, cacheWriteTokens: 200, outputTokens: 5 }],
  ['ollama', { inputTokens: 1_000, cachedTokens: 700, outputTokens: 5 }],
] as const)('cached tokens are part of the usage of %s', async (format, usage) => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streams[format]);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  try {
    const { variable, address: name, model } = formats[format];
    const provider = listProviders({}, { [variable]: 'k', [name]: url }).find((each) => each.name === format);
    if (!provider?.provider) throw new Error(`no provider ${format}`);
    const opened = await openModel(provider.provider, model, {});
    const message = { role: 'user', parts: [{ type: 'text', text: 'Hi' }] } as const;
    const request = {
      system: '',
      messages: [{ ...message, parts: [...message.parts] }],
      tools: [],
      maxOutputTokens: 100,
      signal: new AbortController().signal,
    };
    expect((await opened.answer(request, () => undefined)).usage).toMatchObject(usage);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
