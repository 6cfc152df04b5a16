import { numberIn, textIn } from '../connector-config.ts';
import type { Connector } from '../connector.ts';
import { pathOf } from '../web/page-links.ts';
import { createPageVisitor, type Visit } from '../web/page-visitor.ts';
import { loadSeeds } from '../web/seed-urls.ts';
import { createWebClient, namedUrls } from '../web/web-client.ts';

const DEFAULT_PAGES = 500;
const DEFAULT_DEPTH = 2;
const AT_ONCE = 4;

/** Web pages from a list, a sitemap or an `llms.txt`, or found by following links. */
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
    const client = createWebClient(config);
    const seeds = await loadSeeds(source, client, context);
    const visitor = createPageVisitor(source, client, seeds, context);
    const maxDepth = numberIn(config, 'max_depth') ?? (seeds.crawls ? DEFAULT_DEPTH : 0);
    const maxPages = numberIn(config, 'max_pages') ?? DEFAULT_PAGES;
    const queue: Visit[] = [];
    const queued = new Set<string>();
    /** The first path of each page, by canonical path: several addresses may lead to one page. */
    const firstPaths = new Map<string, string>();
    let skipped = 0;
    const enqueue = (url: URL, depth: number) => {
      const path = pathOf(url);
      if (queued.has(path) || !client.allows(url)) return;
      if (queued.size >= maxPages) {
        skipped++;
        return;
      }
      queued.add(path);
      queue.push({ url, path, depth });
    };
    for (const url of seeds.urls) enqueue(url, 0);

    while (queue.length > 0) {
      context.signal.throwIfAborted();
      const batch = queue.splice(0, AT_ONCE);
      const visited = await Promise.all(
        batch.map(async (visit) => ({ visit, ...(await visitor.visit(visit)) })),
      );
      for (const { visit, page, links } of visited) {
        const first = page && firstPaths.get(page.canonical);
        if (page) firstPaths.set(page.canonical, first ?? visit.path);
        if (page && first === undefined) yield page.item;
        else if (page) context.skip(visit.path, `is the same page as ${first}`);
        if (visit.depth < maxDepth) for (const link of links) enqueue(new URL(link), visit.depth + 1);
      }
    }
    if (skipped > 0) context.problem(null, `${skipped} more links were skipped: max_pages is ${maxPages}`);
    return { checkpoint: { pages: visitor.pages }, partial: seeds.partial };
  },
};
