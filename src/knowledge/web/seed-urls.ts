import { gunzipSync } from 'node:zlib';
import { textIn, textsIn } from '../connector-config.ts';
import type { ConfiguredSource, ScanContext } from '../connector.ts';
import { reasonOf, SourceError } from '../source-error.ts';
import { linksIn, pathOf, plainUrl } from './page-links.ts';
import { parseUrl, type WebResponse, type WebClient } from './web-client.ts';

const MAX_SITEMAPS = 50;
const MAX_UNPACKED = 64 * 1024 * 1024;

export interface Seeds {
  urls: URL[];
  /** Last change by URL, from a sitemap. */
  dates: ReadonlyMap<string, string>;
  /** Some sitemaps could not be read, so pages may be missing. */
  partial: boolean;
  /** URLs listed in the config; globs and robots.txt do not apply to them. */
  named: ReadonlySet<string>;
  /** Whether pages are discovered by links. */
  crawls: boolean;
}

type Report = Pick<ScanContext, 'signal' | 'problem' | 'unseen'>;

/** The pages that a scan starts from. Throws if they cannot be read: the list of pages is unknown then. */
export async function loadSeeds(
  { config }: ConfiguredSource,
  client: WebClient,
  context: Report,
): Promise<Seeds> {
  const pages = textsIn(config, 'pages').map((page) => plainUrl(parseUrl(page)));
  const sitemap = textIn(config, 'sitemap');
  const llms = textIn(config, 'llms_txt');
  const start = textIn(config, 'url');
  const urls = [...pages];
  const dates = new Map<string, string>();
  let partial = false;
  const addSitemap = async (url: URL) => {
    const listed = await loadSitemap(url, client, context);
    partial ||= listed.partial;
    for (const page of listed.pages) {
      urls.push(page.url);
      if (page.date !== null) dates.set(page.url.href, page.date);
    }
  };
  if (sitemap !== undefined) await addSitemap(parseUrl(sitemap));
  if (llms !== undefined) urls.push(...(await loadLlmsText(parseUrl(llms), client, context.signal)));
  let crawls = false;
  if (start !== undefined) {
    const url = plainUrl(parseUrl(start));
    if (/sitemap[^/]*\.xml(?:\.gz)?$/i.test(url.pathname)) await addSitemap(url);
    else if (/\/llms(?:-full)?\.txt$/i.test(url.pathname))
      urls.push(...(await loadLlmsText(url, client, context.signal)));
    else {
      crawls = sitemap === undefined && llms === undefined && pages.length === 0;
      urls.unshift(url);
    }
  }
  if (urls.length === 0 && start === undefined && sitemap === undefined && llms === undefined) {
    throw new SourceError('needs one of `url`, `sitemap`, `llms_txt` or `pages`');
  }
  return { urls, dates, partial, named: new Set(pages.map(({ href }) => href)), crawls };
}

interface ListedPage {
  url: URL;
  date: string | null;
}

/** A nested sitemap that cannot be read is reported, and the others are still used. */
async function loadSitemap(
  first: URL,
  client: WebClient,
  context: Report,
): Promise<{ pages: ListedPage[]; partial: boolean }> {
  const { XMLParser } = await import('fast-xml-parser');
  const parser = new XMLParser({
    removeNSPrefix: true,
    isArray: (name) => name === 'url' || name === 'sitemap',
  });
  const pending = [first];
  const read = new Set<string>();
  const found: ListedPage[] = [];
  let partial = false;
  for (let next = pending.shift(); next; next = pending.shift()) {
    if (read.has(next.href)) continue;
    if (read.size >= MAX_SITEMAPS) {
      context.problem(null, `${pending.length + 1} more sitemaps were skipped: the limit is ${MAX_SITEMAPS}`);
      return { pages: found, partial };
    }
    read.add(next.href);
    try {
      const response = await getOk(next, client, context.signal);
      const tree: unknown = parser.parse(new TextDecoder().decode(unpacked(response.body)));
      const pages = pagesIn(tree, 'urlset', 'url');
      const more = pagesIn(tree, 'sitemapindex', 'sitemap');
      if (pages === null && more === null) throw new SourceError(`${next.href} is not a sitemap`);
      for (const { url, date } of pages ?? []) {
        if (client.allows(url)) found.push({ url: plainUrl(url), date });
      }
      for (const { url } of more ?? []) if (client.allows(url)) pending.push(url);
    } catch (error) {
      context.signal.throwIfAborted();
      if (next === first) throw error;
      partial = true;
      context.unseen(pathOf(next), reasonOf(error));
    }
  }
  return { pages: found, partial };
}

function unpacked(body: Uint8Array): Uint8Array {
  return body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body, { maxOutputLength: MAX_UNPACKED }) : body;
}

/** Null if the tree has no such list. */
function pagesIn(tree: unknown, list: string, item: string): ListedPage[] | null {
  const set = fieldOf(tree, list);
  if (set === undefined) return null;
  const items = fieldOf(set, item);
  return (Array.isArray(items) ? items : []).flatMap((each: unknown) => {
    const location = fieldOf(each, 'loc');
    if (typeof location !== 'string' || !URL.canParse(location)) return [];
    const date = fieldOf(each, 'lastmod');
    return [{ url: new URL(location), date: typeof date === 'string' ? date : null }];
  });
}

function fieldOf(value: unknown, key: string): unknown {
  if (value === '') return undefined;
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

async function loadLlmsText(url: URL, client: WebClient, signal: AbortSignal): Promise<URL[]> {
  const response = await getOk(url, client, signal);
  const links = linksIn(new TextDecoder().decode(response.body), response.url, false);
  return [plainUrl(url), ...links.filter((link) => client.allows(link))];
}

async function getOk(url: URL, client: WebClient, signal: AbortSignal): Promise<WebResponse> {
  let response: WebResponse;
  try {
    response = await client.get(url, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new SourceError(
      `${url.host}${url.pathname} could not be read: ${reasonOf(error)}. Its documents are kept`,
    );
  }
  if (response.status === 200) return response;
  throw new SourceError(
    `${url.host}${url.pathname} returned ${response.status}; its documents are kept. Check its URL`,
  );
}
