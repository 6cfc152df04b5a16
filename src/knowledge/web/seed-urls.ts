import { gunzipSync } from 'node:zlib';
import { textIn, textsIn } from '../connector-config.ts';
import type { ConfiguredSource } from '../connector.ts';
import { reasonOf, SourceError } from '../source-error.ts';
import { linksIn, plainUrl } from './page-links.ts';
import { parseUrl, type WebAnswer, type WebClient } from './web-client.ts';

const MAX_SITEMAPS = 50;
const MAX_UNPACKED = 64 * 1024 * 1024;

export interface Seeds {
  urls: URL[];
  /** Named one by one: nothing else decides about those. */
  named: ReadonlySet<string>;
  /** Whether the links of pages are how the others are found. */
  crawls: boolean;
}

/** Where a source begins. Throws where that cannot be read: nobody knows what there is then. */
export async function loadSeeds(
  { config }: ConfiguredSource,
  client: WebClient,
  signal: AbortSignal,
): Promise<Seeds> {
  const pages = textsIn(config, 'pages').map((page) => plainUrl(parseUrl(page)));
  const sitemap = textIn(config, 'sitemap');
  const llms = textIn(config, 'llms_txt');
  const start = textIn(config, 'url');
  const urls = [...pages];
  if (sitemap !== undefined) urls.push(...(await loadSitemap(parseUrl(sitemap), client, signal)));
  if (llms !== undefined) urls.push(...(await loadLlmsText(parseUrl(llms), client, signal)));
  let crawls = false;
  if (start !== undefined) {
    const url = plainUrl(parseUrl(start));
    if (/sitemap[^/]*\.xml(?:\.gz)?$/i.test(url.pathname))
      urls.push(...(await loadSitemap(url, client, signal)));
    else if (/\/llms(?:-full)?\.txt$/i.test(url.pathname))
      urls.push(...(await loadLlmsText(url, client, signal)));
    else {
      crawls = sitemap === undefined && llms === undefined && pages.length === 0;
      urls.unshift(url);
    }
  }
  if (urls.length === 0 && start === undefined && sitemap === undefined && llms === undefined) {
    throw new SourceError('needs one of `url`, `sitemap`, `llms_txt` or `pages`');
  }
  return { urls, named: new Set(pages.map(({ href }) => href)), crawls };
}

async function loadSitemap(first: URL, client: WebClient, signal: AbortSignal): Promise<URL[]> {
  const { XMLParser } = await import('fast-xml-parser');
  const parser = new XMLParser({
    removeNSPrefix: true,
    isArray: (name) => name === 'url' || name === 'sitemap',
  });
  const pending = [first];
  const read = new Set<string>();
  const found: URL[] = [];
  for (let next = pending.shift(); next && read.size < MAX_SITEMAPS; next = pending.shift()) {
    if (read.has(next.href)) continue;
    read.add(next.href);
    const answer = await must(next, client, signal);
    const tree: unknown = parser.parse(new TextDecoder().decode(unpacked(answer.body)));
    const pages = locationsIn(tree, 'urlset', 'url');
    const more = locationsIn(tree, 'sitemapindex', 'sitemap');
    if (pages === null && more === null) throw new SourceError(`${next.href} is not a sitemap`);
    found.push(...(pages ?? []).filter((url) => client.allows(url)).map(plainUrl));
    pending.push(...(more ?? []).filter((url) => client.allows(url)));
  }
  return found;
}

function unpacked(body: Uint8Array): Uint8Array {
  return body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body, { maxOutputLength: MAX_UNPACKED }) : body;
}

/** Null where there is no such list. */
function locationsIn(tree: unknown, list: string, item: string): URL[] | null {
  const set = fieldOf(tree, list);
  if (set === undefined) return null;
  const items = fieldOf(set, item);
  return (Array.isArray(items) ? items : []).flatMap((each: unknown) => {
    const location = fieldOf(each, 'loc');
    return typeof location === 'string' && URL.canParse(location) ? [new URL(location)] : [];
  });
}

function fieldOf(value: unknown, key: string): unknown {
  if (value === '') return undefined;
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

async function loadLlmsText(url: URL, client: WebClient, signal: AbortSignal): Promise<URL[]> {
  const answer = await must(url, client, signal);
  const links = linksIn(new TextDecoder().decode(answer.body), answer.url, false);
  return [plainUrl(url), ...links.filter((link) => client.allows(link))];
}

async function must(url: URL, client: WebClient, signal: AbortSignal): Promise<WebAnswer> {
  let answer: WebAnswer;
  try {
    answer = await client.get(url, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new SourceError(
      `${url.host}${url.pathname} could not be read: ${reasonOf(error)}. Nothing was changed`,
    );
  }
  if (answer.status === 200) return answer;
  throw new SourceError(
    `${url.host}${url.pathname} answers ${answer.status}: nothing was changed. Check its address`,
  );
}
