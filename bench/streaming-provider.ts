import { createServer, type Server } from 'node:http';

/** The events of an answer with this many pieces of text, as Anthropic's Messages API streams it. */
export function answerEvents(deltas: number): string[] {
  const usage = { input_tokens: 10, output_tokens: 5 };
  const message = {
    id: 'msg',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    usage,
  };
  const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'some words ' } };
  return [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...Array.from({ length: deltas }, () => delta),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

export async function listen(
  handle: Parameters<typeof createServer>[1],
): Promise<{ url: string; server: Server }> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, server };
}

/** Reads a stream until a piece of it has this text. */
export async function readUntil(response: Response, text: string): Promise<string> {
  let all = '';
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const next = await reader?.read();
    if (!next || next.done) return all;
    all += next.value;
    if (all.includes(text)) {
      await reader?.cancel();
      return all;
    }
  }
}
