import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

export interface EmbeddingCall {
  path: string;
  headers: IncomingMessage['headers'];
  body: { model: string; input: string[]; dimensions?: number; encoding_format?: string };
}

export interface FakeAnswer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

/**
 * Speaks the wire formats of OpenAI's `/v1/embeddings` and Ollama's `/api/embed`. Its vectors count letters, so texts
 * with the same words are near each other. `answers` are given first, one for each call; calls after the
 * first `answered` never get one.
 */
export async function startFakeEmbeddings(
  options: { dims?: number; answers?: FakeAnswer[]; answered?: number } = {},
) {
  const { dims = 32, answers = [], answered = Infinity } = options;
  const calls: EmbeddingCall[] = [];
  let held = Promise.resolve();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await json(request)) as EmbeddingCall['body'];
    const path = request.url ?? '';
    calls.push({ path, headers: request.headers, body });
    if (calls.length > answered) await new Promise(() => undefined);
    await held;
    const {
      status,
      headers,
      body: content,
    } = answers.shift() ??
    (path === '/api/embed'
      ? {
          status: 200,
          body: {
            model: body.model,
            embeddings: body.input.map((text) => fakeVector(text, dims)),
            total_duration: 1,
          },
        }
      : {
          status: 200,
          body: {
            object: 'list',
            model: body.model,
            data: body.input.map((text, index) => ({
              object: 'embedding',
              index,
              embedding: fakeVector(text, dims),
            })),
            usage: { prompt_tokens: 1, total_tokens: 1 },
          },
        });
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof content === 'string' ? content : JSON.stringify(content));
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('not listening');
  return {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    answers,
    /** Answers nobody until what it gives is called. */
    hold(): () => void {
      let release = () => {};
      held = new Promise((resolve) => (release = resolve));
      return release;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Words by a hash, so that it has something of a meaning. */
export function fakeVector(text: string, dims: number): number[] {
  const vector = Array.from({ length: dims }, (_, at) => ((at * 7_919) % 13) / 1_000 - 0.006);
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    let hash = 7;
    for (const letter of word.slice(0, 5)) hash = (hash * 31 + letter.charCodeAt(0)) >>> 0;
    for (let step = 0; step < 8; step++) {
      hash = (Math.imul(hash, 1_664_525) + 1_013_904_223) >>> 0;
      vector[(hash >>> 8) % dims]! += (hash >>> 30) % 2 === 0 ? 1 : -1;
    }
  }
  return vector;
}
