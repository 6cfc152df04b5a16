import { ZooError } from '../../contract/errors.ts';
import { VERSION } from '../../platform/home/version.ts';
import { hostOf, parseHostGrants } from '../../scripting/host/host-grants.ts';
import { sendRequest } from '../../scripting/host/http-request.ts';
import { recordIn, type SourceEntry, textIn, textsIn } from '../connector-config.ts';
import { SIZE_LIMITS } from '../extraction/extract-document.ts';
import { SourceError } from '../source-error.ts';
import { unpackBody } from './unpack-body.ts';
import { createRetry } from './retry.ts';

export interface WebAnswer {
  status: number;
  /** Where it came from in the end. */
  url: URL;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** Requests of one source: to its hosts alone, wherever it is sent on to, and with an end to everything. */
export interface WebClient {
  allows(url: URL): boolean;
  get(url: URL, signal: AbortSignal, headers?: Record<string, string>): Promise<WebAnswer>;
}

const TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 5;
const MAX_BYTES = Math.max(SIZE_LIMITS.html, SIZE_LIMITS.docx);

/** The addresses that a config names. */
export function namedUrls(entry: SourceEntry): URL[] {
  const named = ['url', 'sitemap', 'llms_txt'].flatMap((key) => textIn(entry, key) ?? []);
  return [...named, ...textsIn(entry, 'pages')].map(parseUrl);
}

export function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new SourceError(`'${text}' is not an address that begins with https:// or http://`);
  }
  return url;
}

export function createWebClient(entry: SourceEntry): WebClient {
  const named = namedUrls(entry);
  // An address of a private network counts only if the config itself has it, which is what a grant of it says.
  const hosts = [...named.map(({ host }) => host), ...textsIn(entry, 'hosts')];
  const grants = parseHostGrants(hosts);
  const origins = new Set(named.map(({ origin }) => origin));
  const secret = recordIn(entry, 'headers');
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
          // What the config sends along is for those whom it names.
          ...(origins.has(url.origin) ? secret : {}),
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
          const answer = await retry(() => send(at, signal, headers), signal);
          const { location } = answer.headers;
          if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined)
            return { ...answer, body: unpackBody(answer, MAX_BYTES), url };
          if (!URL.canParse(location, url.href)) throw new SourceError('sends on to what is not an address');
          url = new URL(location, url);
          if (!allows(url))
            throw new SourceError(`sends on to ${hostOf(url)}, which is not among its \`hosts\``);
        }
        throw new SourceError(`sends on more than ${MAX_REDIRECTS} times`);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ZooError)
          throw new SourceError(error.message.replaceAll('allow_hosts', '`hosts`'));
        throw error;
      }
    },
  };
}
