import { textsIn } from '../connector-config.ts';
import type { ConfiguredSource, ScanContext, ScannedItem } from '../connector.ts';
import { namedKind } from '../extraction/content-kind.ts';
import { createPathFilter } from '../files/path-filter.ts';
import { SourceError, reasonOf } from '../source-error.ts';
import { canonicalUrl, linksIn, pathOf } from './page-links.ts';
import { createRobots } from './robots.ts';
import type { Seeds } from './seed-urls.ts';
import type { WebClient, WebResponse } from './web-client.ts';

export interface Visit {
  url: URL;
  path: string;
  depth: number;
}

export interface VisitedPage {
  links: string[];
  /** Null for pages that are not indexed. */
  page: { item: ScannedItem; canonical: string } | null;
}

export interface PageVisitor {
  visit(visit: Visit): Promise<VisitedPage>;
  /** The state of the visited pages, for the next sync. */
  pages: Record<string, KnownPage>;
}

const noPage = (links: string[] = []): VisitedPage => ({ links, page: null });

/** Fetches the pages of a source that changed since the last sync, and decides how to handle each. */
export function createPageVisitor(
  { config }: ConfiguredSource,
  client: WebClient,
  seeds: Seeds,
  context: ScanContext,
): PageVisitor {
  const { signal } = context;
  const robots = createRobots(client);
  const before = parseKnownPages(context.checkpoint);
  const pages: Record<string, KnownPage> = {};
  const isIndexed = createPageFilter(config);

  async function visit({ url, path, depth }: Visit): Promise<VisitedPage> {
    const known = before.get(path) ?? null;
    const isNamed = seeds.named.has(url.href);
    if (!isNamed && !(await robots.allows(url, signal))) {
      context.skip(path, 'is disallowed by robots.txt');
      return noPage();
    }
    try {
      const response = await client.get(url, signal, conditions(known));
      const { status } = response;
      // Pages that are not indexed still lead to others.
      const indexed = isNamed || isIndexed(url);
      if (status === 304 && known) return indexed ? unchanged(url, path, known) : noPage(known.links);
      if (status === 404 || status === 410) {
        if (depth === 0) context.problem(path, `was not found (${status})`);
        return noPage();
      }
      if (status !== 200) throw new SourceError(`the server returned ${status}`);
      return readPage(url, path, response, indexed);
    } catch (error) {
      signal.throwIfAborted();
      if (depth === 0 && seeds.crawls && before.size === 0)
        throw new SourceError(`${path} could not be read: ${reasonOf(error)}`);
      context.unseen(path, reasonOf(error));
      if (known) pages[path] = known;
      return noPage(known?.links);
    }
  }

  function unchanged(url: URL, path: string, known: KnownPage): VisitedPage {
    pages[path] = known;
    const canonical = known.same_as ?? path;
    return { links: known.links, page: { canonical, item: itemOf(url, path, known, null) } };
  }

  function readPage(url: URL, path: string, response: WebResponse, indexed: boolean): VisitedPage {
    const type = response.headers['content-type']?.trim().toLowerCase() || 'text/html';
    const mimeType = type.split(';', 1)[0]?.trim() ?? type;
    if (!isReadable(mimeType, path)) {
      if (indexed) context.skip(path, `is ${mimeType}`);
      return noPage();
    }
    const isHtml = namedKind(path, mimeType) === 'html';
    const text = isHtml || mimeType.startsWith('text/') ? new TextDecoder().decode(response.body) : '';
    const links = linksIn(text, response.url, isHtml)
      .filter((link) => client.allows(link))
      .map(({ href }) => href);
    if (!indexed) return noPage(links);
    const { etag = null, 'last-modified': modified = null } = response.headers;
    const fingerprint = etag ?? modified;
    const canonical = pathOf(isHtml ? canonicalUrl(text, response.url) : response.url);
    if (fingerprint !== null) pages[path] = { type, fingerprint, etag, modified, links, same_as: canonical };
    return { links, page: { canonical, item: itemOf(url, path, { type, fingerprint }, response) } };
  }

  function itemOf(
    url: URL,
    path: string,
    { type, fingerprint }: { type: string; fingerprint: string | null },
    response: WebResponse | null,
  ): ScannedItem {
    const modified = response?.headers['last-modified'] ?? seeds.dates.get(url.href);
    const shown = new URL(url);
    shown.username = '';
    shown.password = '';
    return {
      path,
      fingerprint,
      bytes: response?.body.length ?? null,
      url: shown.href,
      mimeType: type,
      ...(modified === undefined ? {} : { updatedAt: modified }),
      async read() {
        if (response) return response.body;
        // Unchanged on the server, but it must be indexed again.
        const { status, body } = await client.get(url, signal);
        if (status !== 200) throw new SourceError(`the server returned ${status}`);
        return body;
      },
    };
  }

  return { visit, pages };
}

function createPageFilter(config: ConfiguredSource['config']): (url: URL) => boolean {
  const filter = createPathFilter(config);
  const hasGlobs = ['include_globs', 'exclude_globs'].some((key) => textsIn(config, key).length > 0);
  return (url) => {
    const path = url.pathname.replace(/^\//, '').replace(/\/$/, '');
    return !hasGlobs || (filter.takes(path) && !filter.leavesOut(path));
  };
}

function conditions(page: KnownPage | null): Record<string, string> {
  return {
    ...(page?.etag == null ? {} : { 'if-none-match': page.etag }),
    ...(page?.modified == null ? {} : { 'if-modified-since': page.modified }),
  };
}

const isReadable = (type: string, path: string) =>
  /^(?:text\/|application\/(?:xhtml\+xml|json|pdf|xml|yaml|toml|x-yaml|javascript))/.test(type) ||
  namedKind(path, type) !== 'text';

/** The part of a page that is stored in the checkpoint. */
interface KnownPage {
  type: string;
  fingerprint: string;
  etag: string | null;
  modified: string | null;
  /** Needed when the page has not changed and is not sent again. */
  links: string[];
  /** Its canonical path, after redirects. */
  same_as?: string;
}

function parseKnownPages(checkpoint: unknown): Map<string, KnownPage> {
  const pages = fieldOf(checkpoint, 'pages');
  const known = new Map<string, KnownPage>();
  if (typeof pages !== 'object' || pages === null) return known;
  for (const [path, page] of Object.entries(pages)) {
    if (isKnownPage(page)) known.set(path, page);
  }
  return known;
}

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;

function isKnownPage(page: unknown): page is KnownPage {
  const texts = [fieldOf(page, 'fingerprint'), fieldOf(page, 'type')];
  return texts.every((text) => typeof text === 'string') && Array.isArray(fieldOf(page, 'links'));
}
