import { createServer } from 'node:http';

/**
 * A model for pictures: it searches once where it can, then answers in Markdown. Speaks the messages API of Anthropic.
 * @typedef {object} SampleModel
 * @property {Record<string, string>} env for the hub that uses it
 * @property {() => Promise<void>} close
 */

const answer = `Roll back to the previous tag:

1. Find it: \`git describe --tags --abbrev=0 HEAD^\`
2. Redeploy it with \`make release TAG=…\`

\`\`\`sh
TAG=$(git describe --tags --abbrev=0 HEAD^)
make release TAG="$TAG"
\`\`\`

The runbook says the same: *Rollbacks use the previous tag.*`;

/** @returns {Promise<SampleModel>} */
export async function startSampleModel() {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text) => (body += text));
    request.on('end', () => {
      // The list of models.
      if (request.method !== 'POST') return response.end('{"data":[{"id":"claude-sonnet-4-5"}]}');
      response.setHeader('content-type', 'text/event-stream');
      for (const event of eventsFor(JSON.parse(body)))
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      return response.end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    env: { ANTHROPIC_API_KEY: 'for-pictures', ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}/v1` },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** @param {{ tools?: { name: string }[], messages: { content: unknown }[] }} request */
function eventsFor({ tools = [], messages }) {
  const hasSearched = JSON.stringify(messages).includes('tool_result');
  const block =
    tools.some(({ name }) => name === 'search') && !hasSearched
      ? { type: 'tool_use', id: 'call-1', name: 'search', input: {} }
      : { type: 'text', text: '' };
  const delta =
    block.type === 'text'
      ? { type: 'text_delta', text: answer }
      : { type: 'input_json_delta', partial_json: '{"query":"rollback"}' };
  const usage = { input_tokens: 1240, output_tokens: 96 };
  return [
    {
      type: 'message_start',
      message: { id: 'message', type: 'message', role: 'assistant', model: 'sample', content: [], usage },
    },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: block.type === 'text' ? 'end_turn' : 'tool_use', stop_sequence: null },
      usage: { output_tokens: 96 },
    },
    { type: 'message_stop' },
  ];
}
