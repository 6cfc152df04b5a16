import * as z from 'zod';
import type { HostGrants } from './host-grants.ts';
import { loose, parse, wrong } from './host-options.ts';
import { type HttpResponse, sendRequest } from './http-request.ts';
import { parseJson } from '../lua/json-text.ts';
import type { HostValue } from '../lua/host-value.ts';
import { messageOf } from '../../platform/text/error-message.ts';

const HttpMethod = z.enum(['get', 'post', 'put', 'patch', 'delete']);
const HttpOptions = z.strictObject({
  headers: loose(z.record(z.string(), z.union([z.string(), z.number()]))).optional(),
  query: loose(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))).optional(),
  json: z.json().optional(),
  /** Seconds. */
  timeout: z.number().positive().max(86_400).optional(),
});
/** Headers that would allow request smuggling. */
const ownHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'expect',
]);
const httpTimeoutMs = 30_000;

/** Implements `http.get`, `http.post` and so on. */
export async function answerHttp(
  [verb, address, given, body]: HostValue[],
  grants: HostGrants,
  signal: AbortSignal,
): Promise<HostValue> {
  const method = parse('http', HttpMethod, verb);
  const name = `http.${method}`;
  const { headers = {}, query = {}, json, timeout } = parse(name, HttpOptions, given ?? {});
  const url = parseUrl(name, address, query);
  const sent = new Map(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), String(value)]));
  const own = [...sent.keys()].find((key) => ownHeaders.has(key));
  if (own !== undefined) throw wrong(name, `the header ${own} is set by the hub`);
  if (json !== undefined && !sent.has('content-type')) sent.set('content-type', 'application/json');
  const bytes = json === undefined ? body : new TextEncoder().encode(JSON.stringify(json));
  try {
    const timeoutMs = timeout === undefined ? httpTimeoutMs : timeout * 1000;
    const content = bytes instanceof Uint8Array ? bytes : null;
    const request = {
      url,
      method: method.toUpperCase(),
      headers: Object.fromEntries(sent),
      body: content,
      timeoutMs,
    };
    return answerOf(await sendRequest(request, grants, signal));
  } catch (error) {
    throw wrong(name, messageOf(error));
  }
}

function parseUrl(name: string, address: HostValue, query: Record<string, string | number | boolean>): URL {
  if (typeof address !== 'string' || !URL.canParse(address))
    throw wrong(name, 'its first argument is not a URL');
  const url = new URL(address);
  for (const [key, value] of Object.entries(query)) url.searchParams.append(key, String(value));
  return url;
}

function answerOf({ status, headers, body }: HttpResponse): HostValue {
  const answer = { status, ok: status >= 200 && status < 300, headers, body };
  if (!/[/+]json\b/i.test(headers['content-type'] ?? '')) return answer;
  try {
    return { ...answer, json: parseJson(new TextDecoder().decode(body)) };
  } catch {
    return answer;
  }
}
