import { type Agent, request } from 'node:http';
import { toUSVString } from 'node:util';
import type { FuzzRequest } from './http-requests.ts';

export interface FuzzAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

const PATIENCE_MS = 30_000;
const LARGE = 50_000;
/** Streams of events end when the client does. */
const STREAM_MS = 100;

/**
 * The answer to a request as it is, without any of the corrections that `fetch` would make. A hub that refuses a
 * request before its large body has arrived may close the connection; then it has to answer without the body.
 */
export async function sendRequest(
  url: string,
  agent: Agent,
  token: string,
  sent: FuzzRequest,
): Promise<FuzzAnswer> {
  const large = (sent.body?.length ?? 0) > LARGE;
  return sendOnce(url, agent, token, sent).catch((error: unknown) => {
    if (!large || !/ECONNRESET|EPIPE/.test(String(error))) throw error;
    return sendOnce(url, agent, token, { ...sent, body: undefined });
  });
}

function sendOnce(url: string, agent: Agent, token: string, sent: FuzzRequest): Promise<FuzzAnswer> {
  return new Promise((resolve, reject) => {
    const path = sent.path.replaceAll(/[^\x21-\x7E]/g, (char) => encodeURIComponent(toUSVString(char)));
    // Node sends the body of a DELETE without its length, and the hub would take it for the next request.
    const length = sent.body === undefined ? {} : { 'content-length': Buffer.byteLength(sent.body) };
    const headers = { authorization: `Bearer ${token}`, ...length, ...sent.headers };
    const outgoing = request(url + '/', { agent, path, method: sent.method, headers }, (response) => {
      let body = '';
      const done = () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('close', done);
      if (sent.method === 'GET' && response.headers['content-type']?.startsWith('text/event-stream')) {
        setTimeout(() => response.destroy(), STREAM_MS);
      }
    });
    outgoing.setTimeout(PATIENCE_MS, () => outgoing.destroy(new Error('no answer')));
    outgoing.on('error', reject);
    outgoing.end(sent.body);
  });
}
