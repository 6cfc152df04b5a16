import { lookup } from 'node:dns';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { ZooError } from '../../contract/errors.ts';
import { type HostGrants, hostOf } from './host-grants.ts';
import { asError } from '../../platform/text/error-message.ts';

export interface HttpRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: Uint8Array | null;
  timeoutMs: number;
  /** False to return redirects to the caller. */
  follow?: boolean;
  /** The largest response. */
  maxBytes?: number;
}

export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

const maxRedirects = 5;
const maxResponseBytes = 8 * 1024 * 1024;

/** Sends a request, and follows redirects within the grants. */
export async function sendRequest(
  first: HttpRequest,
  grants: HostGrants,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const late = AbortSignal.timeout(first.timeoutMs);
  const stop = AbortSignal.any([signal, late]);
  let next = first;
  try {
    for (let hops = 0; ; hops++) {
      const response = await sendOnce(next, grants, stop);
      const target = first.follow === false ? null : redirectOf(next, response);
      if (!target) return response;
      if (hops >= maxRedirects)
        throw refusal(`${hostOf(first.url)} redirects more than ${maxRedirects} times`);
      next = target;
    }
  } catch (error) {
    if (late.aborted) throw refusal(`${hostOf(next.url)} timed out after ${first.timeoutMs / 1000} s`);
    throw error instanceof ZooError ? error : refusal(`cannot reach ${hostOf(next.url)}: ${wordsOf(error)}`);
  }
}

function sendOnce(
  { method, url, headers, body, maxBytes = maxResponseBytes }: HttpRequest,
  grants: HostGrants,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const host = hostOf(url);
  checkUrl(url, grants);
  if (isIP(host) !== 0 && !grants.allowsAddress(host, host)) throw privateAddress(host, host);
  return new Promise((resolve, reject) => {
    const outgoing = (url.protocol === 'https:' ? requestSecure : requestPlain)(
      url,
      { method, headers, signal, agent: false, lookup: guardedLookup(grants) },
      (incoming) => {
        collect(incoming, maxBytes).then(
          (bytes) => resolve({ status: incoming.statusCode ?? 0, headers: headersOf(incoming), body: bytes }),
          (error: unknown) => {
            outgoing.destroy();
            reject(asError(error));
          },
        );
      },
    );
    outgoing.on('error', reject).end(body ?? undefined);
  });
}

function checkUrl(url: URL, grants: HostGrants): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refusal(`only http and https are supported, not ${url.protocol}`);
  if (url.username !== '' || url.password !== '')
    throw refusal('put credentials into the authorization header, not into the URL');
  if (grants.allowsUrl(url)) return;
  throw refusal(`${url.host} is not an allowed host: add it to allow_hosts`);
}

/** Resolves the name first and connects to the checked address. */
const guardedLookup =
  (grants: HostGrants): LookupFunction =>
  (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '', 0);
      const allowed = addresses.filter(({ address }) => grants.allowsAddress(address, host.toLowerCase()));
      const [one] = allowed;
      if (!one) return done(privateAddress(host, addresses[0]?.address ?? 'nothing'), '', 0);
      return options.all ? done(null, allowed) : done(null, one.address, one.family);
    });
  };

const privateAddress = (host: string, address: string) =>
  refusal(
    host === address
      ? `${address} is not a public address: add it to allow_hosts`
      : `${host} resolves to ${address}, which is not a public address: add ${address} to allow_hosts as well`,
  );

async function collect(incoming: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of incoming) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > maxBytes) throw refusal(`the response is larger than ${maxBytes} bytes`);
    chunks.push(bytes);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function headersOf(incoming: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(incoming.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

function redirectOf(from: HttpRequest, { status, headers }: HttpResponse): HttpRequest | null {
  const { location } = headers;
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return null;
  if (!URL.canParse(location, from.url.href))
    throw refusal(`${hostOf(from.url)} redirects to an invalid URL`);
  const url = new URL(location, from.url);
  const keepsBody = status === 307 || status === 308;
  const method = keepsBody || from.method === 'GET' ? from.method : 'GET';
  const dropped = new Set(keepsBody ? [] : ['content-type', 'content-length']);
  // Credentials are for their own origin only.
  if (url.origin !== from.url.origin) for (const name of ['authorization', 'cookie']) dropped.add(name);
  const kept = Object.entries(from.headers).filter(([name]) => !dropped.has(name.toLowerCase()));
  return { ...from, url, method, headers: Object.fromEntries(kept), body: keepsBody ? from.body : null };
}

const refusal = (message: string) => new ZooError('tool_error', message);

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
