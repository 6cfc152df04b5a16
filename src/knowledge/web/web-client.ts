import { ZooError } from '../../contract/errors.ts';
import { VERSION } from '../../platform/home/version.ts';
import { hostOf, parseHostGrants } from '../../scripting/host/host-grants.ts';
import { sendRequest } from '../../scripting/host/http-request.ts';
import { recordIn, type SourceEntry, textIn, textsIn } from '../connector-config.ts';
import { SIZE_LIMITS } from '../extraction/size-limits.ts';
import { SourceError } from '../source-error.ts';
import { unpackBody } from './unpack-body.ts';
import { createRetry } from './retry.ts';

export interface WebResponse {
  status: number;
  /** After redirects. */
  url: URL;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** Sends the requests of one source, only to its own hosts (even on redirects), with time and size limits. */
export interface WebClient {
  allows(url: URL): boolean;
  get(url: URL, signal: AbortSignal, headers?: Record<string, string>): Promise<WebResponse>;
}

const TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 5;
const MAX_BYTES = Math.max(SIZE_LIMITS.html, SIZE_LIMITS.docx);

/** The URLs in a config. */
export function namedUrls(entry: SourceEntry): URL[] {
  const named = ['url', 'sitemap', 'llms_txt'].flatMap((key) => textIn(entry, key) ?? []);
  return [...named, ...textsIn(entry, 'pages')].map(parseUrl);
}

export function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new SourceError(`'${text}' is not an http:// or https:// URL`);
  }
  return url;
}

export function createWebClient(entry: SourceEntry): WebClient {
  const named = namedUrls(entry);
  // Hosts on a private network are allowed only if the config names them.
  const hosts = [...named.map(({ host }) => host), ...textsIn(entry, 'hosts')];
  const grants = parseHostGrants(hosts);
  const origins = new Set(named.map(({ origin }) => origin));
  const secretHeaders = recordIn(entry, 'headers');
  const retry = createRetry();
  const allows = (url: URL) => /^https?:$/.test(url.protocol) && grants.allowsUrl(url);

  async function send(url: URL, signal: AbortSignal, headers: Record<string, string>) {
    const { username, password } = url;
    const plain = new URL(url);
    plain.username = '';
    plain.password = '';
    const basic = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return sendRequest(
      {
        method: 'GET',
        url: plain,
        headers: {
          'user-agent': `agent-zoo/${VERSION}`,
          'accept-encoding': 'gzip, deflate, br',
          accept: 'text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.5',
          ...(username === '' ? {} : { authorization: `Basic ${Buffer.from(basic).toString('base64')}` }),
          // The configured headers go only to the hosts in the config.
          ...(origins.has(url.origin) ? secretHeaders : {}),
          ...headers,
        },
        body: null,
        timeoutMs: TIMEOUT_MS,
        follow: false,
        maxBytes: MAX_BYTES,
      },
      grants,
      signal,
    );
  }

  return {
    allows,
    async get(first, signal, headers = {}) {
      let url = first;
      try {
        for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
          const at = url;
          const response = await retry(() => send(at, signal, headers), signal);
          const { location } = response.headers;
          if (![301, 302, 303, 307, 308].includes(response.status) || location === undefined)
            return { ...response, body: unpackBody(response, MAX_BYTES), url };
          if (!URL.canParse(location, url.href)) throw new SourceError('redirects to an invalid URL');
          url = new URL(location, url);
          if (!allows(url))
            throw new SourceError(`redirects to ${hostOf(url)}, which is not listed in \`hosts\``);
        }
        throw new SourceError(`redirects more than ${MAX_REDIRECTS} times`);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ZooError)
          throw new SourceError(error.message.replaceAll('allow_hosts', '`hosts`'));
        throw error;
      }
    },
  };
}
