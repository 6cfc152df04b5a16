import { numberIn, textIn, textsIn } from '../connector-config.ts';
import type { Connector, ScannedItem } from '../connector.ts';
import { namedKind } from '../extraction/content-kind.ts';
import { createPathFilter } from '../files/path-filter.ts';
import { reasonOf, SourceError } from '../source-error.ts';
import { type KnownPage, parseKnownPages } from '../web/known-pages.ts';
import { linksIn, ownAddress, pathOf } from '../web/page-links.ts';
import { createRobots } from '../web/robots.ts';
import { loadSeeds } from '../web/seed-urls.ts';
import { createWebClient, namedUrls, type WebAnswer, type WebClient } from '../web/web-client.ts';

const DEFAULT_PAGES = 500;
const DEFAULT_DEPTH = 2;
const AT_ONCE = 4;

interface Visit {
  url: URL;
  path: string;
  depth: number;
}

type Visited =
  | { kind: 'page'; item: ScannedItem; known: KnownPage | null; sameAs: string; links: string[] }
  | { kind: 'nothing'; links: string[] };

/** Pages: those of a list, of a sitemap or of an `llms.txt`, or those that links lead to. */
export const web: Connector = {
  type: 'web',
  streams: true,

  location({ config }) {
    try {
      return namedUrls(config)
        .map(({ origin, pathname }) => `${origin}${pathname}`)
        .join(' ');
    } catch {
      return textIn(config, 'url') ?? '';
    }
  },

  async *scan(source, context) {
    const { config } = source;
    const { signal } = context;
    const client = createWebClient(config);
    const robots = createRobots(client);
    const filter = createPathFilter(config);
    const seeds = await loadSeeds(source, client, context);
    const maxDepth = numberIn(config, 'max_depth') ?? (seeds.crawls ? DEFAULT_DEPTH : 0);
    const maxPages = numberIn(config, 'max_pages') ?? DEFAULT_PAGES;
    const before = parseKnownPages(context.checkpoint);
    const after: Record<string, KnownPage> = {};
    const queue: Visit[] = [];
    const queued = new Set<string>();
    /** By the path that a page calls its own: many addresses may lead to one page. */
    const taken = new Map<string, string>();
    let left = 0;
    const enqueue = (url: URL, depth: number) => {
      const path = pathOf(url);
      if (queued.has(path) || !client.allows(url)) return;
      if (queued.size >= maxPages) {
        left++;
        return;
      }
      queued.add(path);
      queue.push({ url, path, depth });
    };
    for (const url of seeds.urls) enqueue(url, 0);

    while (queue.length > 0) {
      signal.throwIfAborted();
      const batch = queue.splice(0, AT_ONCE);
      const visited = await Promise.all(batch.map(visit));
      for (const [at, page] of visited.entries()) {
        const { path, depth } = batch[at] ?? { path: '', depth: 0 };
        if (page.kind === 'page') {
          if (page.known) after[path] = page.known;
          const first = taken.get(page.sameAs);
          taken.set(page.sameAs, first ?? path);
          if (first === undefined) yield page.item;
          else context.skip(path, `is the same page as ${first}`);
        }
        if (depth < maxDepth) for (const link of page.links) enqueue(new URL(link), depth + 1);
      }
    }
    if (left > 0) {
      context.problem(null, `${left} more links were left out: max_pages is ${maxPages}`);
    }
    return { checkpoint: { pages: after }, partial: seeds.partial };

    async function visit({ url, path, depth }: Visit): Promise<Visited> {
      const own = before.get(path) ?? null;
      const kept: Visited = { kind: 'nothing', links: own?.links ?? [] };
      // Whether a page counts and whether it is on the way to others are two things.
      const counts = seeds.named.has(url.href) || takes(url);
      if (!seeds.named.has(url.href) && !(await robots.allows(url, signal))) {
        context.skip(path, 'may not be read, as robots.txt says');
        return { kind: 'nothing', links: [] };
      }
      try {
        const answer = await client.get(url, signal, conditions(own));
        if (answer.status === 304 && own) {
          if (!counts) return kept;
          after[path] = own;
          return {
            ...kept,
            kind: 'page',
            known: own,
            sameAs: own.same_as ?? path,
            item: itemOf(path, url, own, null, { client, dates: seeds.dates }),
          };
        }
        if (answer.status === 404 || answer.status === 410) {
          if (depth === 0) context.problem(path, `is not there (${answer.status})`);
          return { kind: 'nothing', links: [] };
        }
        if (answer.status !== 200) throw new SourceError(`answers ${answer.status}`);
        return read(path, url, answer, counts);
      } catch (error) {
        signal.throwIfAborted();
        if (depth === 0 && seeds.crawls && before.size === 0) {
          throw new SourceError(`${path} could not be read: ${reasonOf(error)}`);
        }
        context.unseen(path, reasonOf(error));
        if (own) after[path] = own;
        return kept;
      }
    }

    function takes(url: URL): boolean {
      const path = url.pathname.replace(/^\//, '').replace(/\/$/, '');
      if (textsIn(config, 'include_globs').length === 0 && textsIn(config, 'exclude_globs').length === 0)
        return true;
      return filter.takes(path) && !filter.leavesOut(path);
    }

    function read(path: string, url: URL, answer: WebAnswer, counts: boolean): Visited {
      const whole = answer.headers['content-type']?.trim().toLowerCase() || 'text/html';
      const type = whole.split(';', 1)[0]?.trim() ?? whole;
      if (!isReadable(type, path)) {
        if (counts) context.skip(path, `is ${type}`);
        return { kind: 'nothing', links: [] };
      }
      const isHtml = namedKind(path, type) === 'html';
      const isText = isHtml || type.startsWith('text/');
      const text = isText ? new TextDecoder().decode(answer.body) : '';
      const links = linksIn(text, answer.url, isHtml);
      const hrefs = links.filter((link) => client.allows(link)).map(({ href }) => href);
      if (!counts) return { kind: 'nothing', links: hrefs };
      const { etag = null, 'last-modified': modified = null } = answer.headers;
      const fingerprint = etag ?? modified;
      const sameAs = pathOf(isHtml ? ownAddress(text, answer.url) : answer.url);
      const page = { type: whole, fingerprint, etag, modified, links: hrefs, same_as: sameAs };
      return {
        kind: 'page',
        links: hrefs,
        known: fingerprint === null ? null : { ...page, fingerprint },
        sameAs,
        item: itemOf(path, url, page, answer, { client, dates: seeds.dates }),
      };
    }
  },
};

function conditions(page: KnownPage | null): Record<string, string> {
  return {
    ...(page?.etag == null ? {} : { 'if-none-match': page.etag }),
    ...(page?.modified == null ? {} : { 'if-modified-since': page.modified }),
  };
}

const isReadable = (type: string, path: string) =>
  /^(?:text\/|application\/(?:xhtml\+xml|json|pdf|xml|yaml|toml|x-yaml|javascript))/.test(type) ||
  namedKind(path, type) !== 'text';

function itemOf(
  path: string,
  url: URL,
  { type, fingerprint }: { type: string; fingerprint: string | null },
  answer: WebAnswer | null,
  { client, dates }: { client: WebClient; dates: ReadonlyMap<string, string> },
): ScannedItem {
  const modified = answer?.headers['last-modified'] ?? dates.get(url.href);
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return {
    path,
    fingerprint,
    bytes: answer?.body.length ?? null,
    url: shown.href,
    mimeType: type,
    ...(modified === undefined ? {} : { updatedAt: modified }),
    async read(signal) {
      if (answer) return answer.body;
      // It has not changed, but what is stored of it is to be made anew.
      const { status, body } = await client.get(url, signal);
      if (status !== 200) throw new SourceError(`answers ${status}`);
      return body;
    },
  };
}
