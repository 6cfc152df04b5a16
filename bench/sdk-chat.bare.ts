import { createServer } from 'node:http';
import { createAnthropic } from '@ai-sdk/anthropic';

/** A handler that asks the provider through the model SDK, and sends each piece of text on: what any chat costs at least. */
const [provider = ''] = process.argv.slice(2);
const model = createAnthropic({ apiKey: 'sk-bench', baseURL: `${provider}/v1` })('claude-sonnet-4-5');

const server = createServer((request, response) => {
  void (async () => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }];
    const { stream } = await model.doStream({ prompt });
    let seq = 0;
    let offset = 0;
    for await (const part of stream) {
      if (part.type !== 'text-delta') continue;
      const event = { type: 'text', step: 1, part: 0, offset, text: part.delta };
      offset += part.delta.length;
      response.write(`id: ${++seq}\ndata: ${JSON.stringify({ seq, runId: 'r', event })}\n\n`);
    }
    response.end('data: {"type":"done"}\n\n');
  })();
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`ready http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
});
