import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isFailure, resolveAnswer } from './script.ts';
import type { Answer, Step } from './script.ts';
import type { ModelReply, ModelRequest, ServerEvent, WireFormat } from './wire-format.ts';
import { wireFormats } from './wire-formats/index.ts';

export interface FakeModel extends AsyncDisposable {
  /** Loopback, without a path. */
  url: string;
  /** What the model was asked in its conversation, oldest first: what it saw, not what somebody logged. */
  requests: ModelRequest[];
  /** What it was asked beside it without any tools: titles, summaries, checks of the key. */
  asides: ModelRequest[];
  /** What went wrong, and what was asked for that no vendor has. A good run leaves this empty. */
  problems: string[];
  /** Steps that were not reached. */
  stepsLeft(): number;
}

export interface FakeModelOptions {
  /** What is answered beside the conversation. */
  aside?: string;
  /** After this many requests of any kind only errors are answered: a client in a loop ends. */
  maxRequests?: number;
  /** JSON that is answered to other requests, by method and path: `GET /api/tags`. */
  extras?: Readonly<Record<string, unknown>>;
}

const maxBodyBytes = 32 * 1024 * 1024;

/**
 * A model on loopback that does these steps, one for each request of a conversation, in the wire format of whoever
 * asks: Anthropic Messages, OpenAI Responses and Chat Completions, Google generateContent.
 */
export async function startFakeModel(
  steps: readonly Step[],
  { aside = 'ok', maxRequests = 100, extras = {} }: FakeModelOptions = {},
): Promise<FakeModel> {
  const requests: ModelRequest[] = [];
  const asides: ModelRequest[] = [];
  const problems: string[] = [];
  let seen = 0;
  let done = 0;

  const answer = async (request: ModelRequest, hungUp: AbortSignal): Promise<Answer> => {
    if (request.tools.length === 0) {
      asides.push(request);
      return { text: aside };
    }
    requests.push(request);
    const step = steps[done];
    if (step === undefined) throw new Error(`there is no step ${done + 1}`);
    const given = typeof step === 'function' ? await step(request, hungUp) : step;
    if (isFailure(given) || !given.again) done += 1;
    return given;
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    seen += 1;
    if (seen > maxRequests) throw new Error(`more than ${maxRequests} requests`);
    const extra = extras[`${request.method} ${path}`];
    if (extra !== undefined) return sendJson(response, 200, extra);
    const format = wireFormats.find((each) => each.matches(path));
    if (request.method !== 'POST' || !format) {
      sendExtra(response, path, `${request.method} ${path}`, problems);
      return;
    }
    const body = await readBody(request);
    const hungUp = new AbortController();
    response.once('close', () => hungUp.abort());
    try {
      const asked = format.parse(JSON.parse(body), path);
      const given = await answer(asked, hungUp.signal);
      if (isFailure(given)) {
        const failure = format.renderFailure(given.status, given.message);
        sendJson(response, given.status, failure, given.headers);
        return;
      }
      send(response, format, asked, { ...given, reply: resolveAnswer(given, asked, seen * 10) });
    } catch (error) {
      problems.push(String(error));
      // 400, because every client tries again after a 500.
      sendJson(response, 400, format.renderFailure(400, String(error)));
    }
  };

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      problems.push(String(error));
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    asides,
    problems,
    stepsLeft: () => steps.length - done,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What some clients ask for beside the model. */
function sendExtra(response: ServerResponse, path: string, asked: string, problems: string[]): void {
  if (path.endsWith('/count_tokens')) return sendJson(response, 200, { input_tokens: 10 });
  if (path.endsWith(':countTokens')) return sendJson(response, 200, { totalTokens: 10 });
  // Clients look whether anybody is there, and take any answer.
  if (path !== '/' && !asked.startsWith('GET')) problems.push(`nothing answers ${asked}`);
  sendJson(response, 404, { error: { message: `nothing answers ${asked}` } });
}

function send(
  response: ServerResponse,
  format: WireFormat,
  request: ModelRequest,
  { reply, cutAfter, garbled }: { reply: ModelReply; cutAfter?: number; garbled?: true },
): void {
  if (!request.stream) return sendJson(response, 200, format.render(reply, request));
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  for (const [index, event] of format.renderEvents(reply, request).entries()) {
    if (index === cutAfter) return void setTimeout(() => response.destroy(), 20);
    response.write(renderEvent(garbled && index === 1 ? { ...event, data: '{"type": "cont' } : event));
  }
  response.end();
}

function renderEvent({ event, data }: ServerEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new Error('a request is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
