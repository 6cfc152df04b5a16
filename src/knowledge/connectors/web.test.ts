import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  contentOf,
  failuresIn,
  pathsIn,
  type SyncedIndex,
  syncedIndex,
} from '../../../test/knowledge/synced-index.ts';
import { tempFolder } from '../../../test/temp-folder.ts';
import { linksIn } from '../web/page-links.ts';
import { parseRobots } from '../web/robots.ts';
import { processorMs } from '../../../test/processor-time.ts';

type Page = string | Uint8Array | ((request: IncomingMessage, response: ServerResponse) => void);

interface Site extends AsyncDisposable {
  url: string;
  pages: Record<string, Page>;
  asked: string[];
  index(config: Record<string, unknown>): SyncedIndex;
}

async function site(make: (url: string) => Record<string, Page>): Promise<Site> {
  const asked: string[] = [];
  const pages: Record<string, Page> = {};
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const page = pages[path];
    if (page === undefined) response.writeHead(404).end();
    else if (typeof page === 'function') page(request, response);
    else {
      const etag = `"${String(page).length}"`;
      const type =
        path.endsWith('.txt') || path.endsWith('.md')
          ? 'text/plain'
          : path.endsWith('.xml')
            ? 'text/xml'
            : 'text/html; charset=utf-8';
      if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
      else response.writeHead(200, { 'content-type': type, etag }).end(page);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(pages, make(url));
  const home = await tempFolder();
  return {
    url,
    pages,
    asked,
    index: (config) => syncedIndex(home.path, 'web', home.path, config),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await home[Symbol.asyncDispose]();
    },
  };
}

const html = (title: string, body: string) =>
  `<html><head><title>${title}</title></head><body><nav>menu</nav><main><h1>${title}</h1>${body}</main></body></html>`;
const shortPaths = (index: SyncedIndex) =>
  pathsIn(index.file).map((path) => String(path).replace(/^[^/]*/, ''));

describe('pages', () => {
  it('are discovered by links, up to a depth and on allowed hosts', async () => {
    await using at = await site((url) => ({
      '/': html(
        'Home',
        '<a href="/a">a</a> <a href="b/?x=1&amp;y=2#top">b</a> <a href="http://example.com/">out</a>',
      ),
      '/a': html('A', `<p>text <b>bold</b></p><a href="${url}/">home</a><a href="/deep">deep</a>`),
      '/b/?x=1&y=2': html('B', '<a href="/logo.png">logo</a>'),
      '/deep': html('Deep', '<a href="/deeper">deeper</a>'),
      '/deeper': html('Deeper', ''),
    }));
    const index = at.index({ url: at.url });
    expect(await index.sync()).toMatchObject({ ok: true, counts: { added: 4 } });
    expect(shortPaths(index)).toEqual(['', '/a', '/b?x=1&y=2', '/deep']);
    const home = contentOf(index.file).documents[1];
    expect(home).toMatchObject({ title: 'A', url: `${at.url}/a`, mime_type: 'text/markdown' });
    expect(home?.text).toContain('# A\n\ntext **bold**');
    expect(home?.text).not.toContain('menu');

    at.asked.length = 0;
    at.pages['/deep'] = html('Deep', 'changed');
    delete at.pages['/a'];
    at.pages['/'] = html('Home', '<a href="/deep">deep</a> <a href="b/?x=1&amp;y=2">b</a>');
    expect((await index.sync()).counts).toMatchObject({ changed: 2, deleted: 1, unchanged: 1 });
    expect(shortPaths(index)).toEqual(['', '/b?x=1&y=2', '/deep']);
    expect(await index.sync({ config: { max_depth: 0 } })).toMatchObject({ counts: { deleted: 2 } });
  });

  it('that have not changed are not downloaded again, and their links are still followed', async () => {
    await using at = await site(() => ({
      '/': html('Home', '<a href="/a">a</a>'),
      '/a': html('A', '<a href="/b">b</a>'),
      '/b': html('B', ''),
    }));
    const index = at.index({ url: at.url });
    await index.sync();
    expect(await index.sync()).toMatchObject({ counts: { unchanged: 3, bytes: 0, added: 0 } });
    const again = await index.sync({ settings: { maxTokens: 300, overlapTokens: 0 } });
    expect(again).toMatchObject({ ok: true, counts: { unchanged: 3, failed: 0 } });
  });

  it('are listed by nested and compressed sitemaps', async () => {
    await using at = await site((url) => {
      const map = (...names: string[]) =>
        `<urlset xmlns="x">${names.map((name) => `<url><loc>${url}${name}</loc></url>`).join('')}<url><loc>http://example.com/x</loc></url></urlset>`;
      return {
        '/sitemap.xml': `<?xml version="1.0"?><sitemapindex><sitemap><loc>${url}/one.xml</loc></sitemap><sitemap><loc>${url}/two.xml.gz</loc></sitemap><sitemap><loc>${url}/sitemap.xml</loc></sitemap></sitemapindex>`,
        '/one.xml': map('/a', '/b&amp;c'),
        '/two.xml.gz': gzipSync(map('/d')),
        '/a': html('A', '<a href="/not-listed">x</a>'),
        '/b&c': html('B', ''),
        '/d': html('D', ''),
      };
    });
    const index = at.index({ sitemap: `${at.url}/sitemap.xml` });
    expect(await index.sync()).toMatchObject({ ok: true, counts: { added: 3 } });
    expect(shortPaths(index)).toEqual(['/a', '/b&c', '/d']);
    at.pages['/sitemap.xml'] = (_request, response) => void response.writeHead(503).end();
    expect(await index.sync()).toMatchObject({
      ok: false,
      error: expect.stringContaining('returned 503; its documents are kept'),
    });
    expect(shortPaths(index)).toEqual(['/a', '/b&c', '/d']);
  });

  it('of readable sitemaps are indexed, and others are kept when a sitemap fails', async () => {
    await using at = await site((url) => ({
      '/sitemap.xml': `<sitemapindex><sitemap><loc>${url}/one.xml</loc></sitemap><sitemap><loc>${url}/two.xml</loc></sitemap></sitemapindex>`,
      '/one.xml': `<urlset><url><loc>${url}/a</loc><lastmod>2024-01-02</lastmod></url></urlset>`,
      '/two.xml': `<urlset><url><loc>${url}/b</loc></url></urlset>`,
      '/a': html('A', ''),
      '/b': html('B', ''),
    }));
    const index = at.index({ sitemap: `${at.url}/sitemap.xml` });
    expect(await index.sync()).toMatchObject({ ok: true, counts: { added: 2, failed: 0 } });
    const { '/two.xml': two = '' } = at.pages;
    delete at.pages['/two.xml'];
    at.pages['/one.xml'] = `<urlset><url><loc>${at.url}/c</loc></url></urlset>`;
    at.pages['/c'] = html('C', '');
    expect(await index.sync()).toMatchObject({ ok: true, counts: { added: 1, failed: 1, deleted: 0 } });
    expect(failuresIn(index.file)).toEqual([
      [expect.stringMatching(/two\.xml$/), expect.stringContaining('returned 404')],
    ]);
    expect(shortPaths(index)).toEqual(['/a', '/b', '/c']);
    at.pages['/two.xml'] = two;
    expect(await index.sync()).toMatchObject({ ok: true, counts: { deleted: 1, failed: 0, unchanged: 2 } });
    expect(failuresIn(index.file)).toEqual([]);
    expect(shortPaths(index)).toEqual(['/b', '/c']);
  });

  it('with several addresses are indexed once, by redirect or canonical link', async () => {
    const own = '<link rel="canonical" href="/b">';
    await using at = await site(() => ({
      '/': html('Home', '<a href="/old">x</a><a href="/a">a</a><a href="/b?from=x">b</a><a href="/b">b</a>'),
      '/old': (_request, response) => void response.writeHead(301, { location: '/a' }).end(),
      '/a': html('A', own),
      '/b?from=x': html('B', own),
      '/b': html('B', own),
    }));
    const index = at.index({ url: at.url });
    const expected = ['', '/b?from=x', '/old'];
    expect(await index.sync()).toMatchObject({ ok: true, counts: { added: 3, skipped: 2 } });
    expect(shortPaths(index)).toEqual(expected);
    expect(await index.sync()).toMatchObject({ ok: true, counts: { added: 0, deleted: 0, skipped: 2 } });
    expect(shortPaths(index)).toEqual(expected);
  });

  it('are decoded as the server or the page declares, also when compressed', async () => {
    const sent =
      (type: string, body: Uint8Array | string, headers = {}): Page =>
      (_request, response) =>
        void response.writeHead(200, { 'content-type': type, ...headers }).end(body);
    const japanese = Buffer.concat([Buffer.from('<p>'), Buffer.from([0x93, 0xfa, 0x96, 0x7b])]);
    await using at = await site(() => ({
      '/header': sent('text/html; charset=Shift_JIS', japanese),
      '/meta': sent(
        'text/html',
        Buffer.from(
          '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2"><p>\xb1',
          'latin1',
        ),
      ),
      '/unknown': sent('text/html; charset=klingon', '<p>grün'),
      '/packed': sent('text/html', gzipSync('<p>packed'), { 'content-encoding': 'gzip' }),
      '/bomb': sent('text/html', gzipSync(Buffer.alloc(40 * 1024 * 1024)), { 'content-encoding': 'gzip' }),
    }));
    const pages = ['/header', '/meta', '/unknown', '/packed', '/bomb'].map((path) => at.url + path);
    const index = at.index({ pages });
    expect(await index.sync()).toMatchObject({ ok: true, counts: { added: 4, failed: 1 } });
    expect(contentOf(index.file).documents.map(({ text }) => String(text).trim())).toEqual([
      '日本',
      'ą',
      'packed',
      'grün',
    ]);
    expect(failuresIn(index.file)[0]?.[1]).toContain('when unpacked');
  });

  it('are listed by llms.txt or in the config', async () => {
    await using at = await site((url) => ({
      '/llms.txt': `# Docs\n\n- [Guide](${url}/guide.md): how\n- [API](/api)\n- [Out](https://example.com/x)\n`,
      '/guide.md': '# Guide\n\ntext',
      '/api': html('API', ''),
      '/alone': html('Alone', ''),
    }));
    const index = at.index({ llms_txt: `${at.url}/llms.txt` });
    await index.sync();
    expect(shortPaths(index)).toEqual(['/api', '/guide.md', '/llms.txt']);
    const pages = [`${at.url}/alone`, `${at.url}/guide.md`, `${at.url}/gone`];
    const result = await index.sync({ config: { llms_txt: undefined, pages } });
    expect(shortPaths(index)).toEqual(['/alone', '/guide.md']);
    expect(result.events).toContainEqual(
      expect.objectContaining({ type: 'problem', reason: 'was not found (404)' }),
    );
  });

  it('are limited in number and filtered by globs', async () => {
    await using at = await site(() => ({
      '/': html('Home', Array.from({ length: 9 }, (_, n) => `<a href="/docs/${n}">${n}</a>`).join('')),
      ...Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`/docs/${n}`, html(`${n}`, '')])),
    }));
    const index = at.index({ url: at.url, max_pages: 4 });
    const result = await index.sync();
    expect(shortPaths(index)).toHaveLength(4);
    expect(result.events).toContainEqual(
      expect.objectContaining({ reason: '6 more links were skipped: max_pages is 4' }),
    );
    await index.sync({ config: { max_pages: 100, include_globs: ['docs/**'], exclude_globs: ['docs/3'] } });
    expect(shortPaths(index)).toEqual([0, 1, 2, 4, 5, 6, 7, 8].map((n) => `/docs/${n}`));
  });
});

describe('politeness', () => {
  it('respects robots.txt, except for pages listed in the config', async () => {
    await using at = await site(() => ({
      '/robots.txt': 'User-agent: *\nDisallow: /private\nAllow: /private/open\n',
      '/': html('Home', '<a href="/private/x">x</a><a href="/private/open">o</a>'),
      '/private/x': html('X', ''),
      '/private/open': html('O', ''),
    }));
    const index = at.index({ url: at.url });
    await index.sync();
    expect(shortPaths(index)).toEqual(['', '/private/open']);
    expect(at.asked).not.toContain('/private/x');
    await index.sync({ config: { url: undefined, pages: [`${at.url}/private/x`] } });
    expect(shortPaths(index)).toEqual(['/private/x']);
  });

  it('follows no redirects to other hosts or private addresses, and sends them no headers', async () => {
    const seen: (string | undefined)[] = [];
    await using other = await site(() => ({
      '/stolen': (request, response) => {
        seen.push(request.headers['x-key'] as string | undefined);
        response.writeHead(200, { 'content-type': 'text/html' }).end(html('Stolen', ''));
      },
    }));
    await using at = await site(() => ({
      '/': (request, response) => {
        seen.push(request.headers['x-key'] as string | undefined);
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<a href="/away">x</a><a href="/loop">x</a>');
      },
      '/away': (_request, response) =>
        void response.writeHead(302, { location: `${other.url}/stolen` }).end(),
      '/loop': (_request, response) => void response.writeHead(302, { location: '/loop' }).end(),
    }));
    const index = at.index({ url: at.url, headers: { 'x-key': 's3cret' } });
    await index.sync();
    expect(seen).toEqual(['s3cret']);
    expect(
      failuresIn(index.file).map(([path, reason]) => [String(path).replace(/^[^/]*/, ''), reason]),
    ).toEqual([
      ['/away', 'redirects to 127.0.0.1, which is not listed in `hosts`'],
      ['/loop', 'redirects more than 5 times'],
    ]);
    const { host } = new URL(other.url);
    await index.sync({ config: { hosts: [host] } });
    expect(seen).toEqual(['s3cret', 's3cret', undefined]);
  });

  it('keeps a page that fails, and the pages it links to', async () => {
    await using at = await site(() => ({
      '/': html('Home', '<a href="/a">a</a>'),
      '/a': html('A', '<a href="/b">b</a>'),
      '/b': html('B', ''),
    }));
    const index = at.index({ url: at.url });
    await index.sync();
    const before = contentOf(index.file).documents;
    at.pages['/a'] = (_request, response) => void response.writeHead(500).end();
    expect(await index.sync()).toMatchObject({ ok: true, counts: { failed: 1, deleted: 0, unchanged: 2 } });
    expect(contentOf(index.file).documents).toEqual(before);
    at.pages['/a'] = html('A', '<a href="/b">b</a>');
    expect(await index.sync()).toMatchObject({ ok: true, counts: { failed: 0, unchanged: 3 } });
    expect(failuresIn(index.file)).toEqual([]);
  });

  it('retries a busy server after its Retry-After', async () => {
    const busy = (status: number, headers: Record<string, string>, times: number): Page => {
      let left = times;
      return (_request, response) => {
        if (left-- > 0) response.writeHead(status, headers).end('busy');
        else response.writeHead(200, { 'content-type': 'text/html' }).end(html('Here', ''));
      };
    };
    await using at = await site(() => ({
      '/busy': busy(429, { 'retry-after': '1' }, 1),
      '/broken': busy(503, {}, 2),
      '/later': busy(429, { 'retry-after': '3600' }, 1),
    }));
    const index = at.index({ pages: ['/busy', '/broken', '/later'].map((path) => at.url + path) });
    const startedAt = performance.now();
    expect(await index.sync()).toMatchObject({ ok: true, counts: { added: 2, failed: 1 } });
    expect(performance.now() - startedAt).toBeGreaterThan(990);
    expect(failuresIn(index.file)[0]?.[1]).toBe(
      'the server returned 429 and asks to retry after 3600 seconds',
    );
  });

  it('skips pages that are too large or not documents', async () => {
    await using at = await site(() => ({
      '/': html('Home', '<a href="/big">x</a><a href="/image">x</a>'),
      '/big': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' });
        const more = () => {
          while (response.writable && response.write(Buffer.alloc(1024 * 1024, 97)));
        };
        response.on('drain', more).on('error', () => undefined);
        more();
      },
      '/image': (_request, response) =>
        void response.writeHead(200, { 'content-type': 'image/png' }).end('x'),
    }));
    const index = at.index({ url: at.url });
    expect(await index.sync()).toMatchObject({ ok: true, counts: { added: 1, skipped: 1, failed: 1 } });
    expect(failuresIn(index.file)[0]?.[1]).toMatch(/the response is larger than \d+ bytes/);
  });

  it.each([
    [{}, 'needs one of `url`, `sitemap`, `llms_txt` or `pages`'],
    [{ url: 'ftp://example.com' }, 'is not an http:// or https:// URL'],
    [{ url: 'http://127.0.0.1:1/' }, 'could not be read'],
  ])('reports the error in %j', async (config, expected) => {
    await using home = await tempFolder();
    const index = syncedIndex(home.path, 'web', home.path, config);
    expect(await index.sync()).toMatchObject({ ok: false, error: expect.stringContaining(expected) });
  });
});

it.each([
  ['User-agent: *\nDisallow: /', '/x', false],
  ['User-agent: other\nDisallow: /', '/x', true],
  ['User-agent: other\nUser-agent: Agent-Zoo\nDisallow: /a\n\nUser-agent: *\nDisallow: /', '/b', true],
  ['User-agent: *\nDisallow: /*.pdf$', '/a/b.pdf', false],
  ['User-agent: *\nDisallow: /*.pdf$', '/a/b.pdf?x', true],
  ['User-agent: *\nDisallow:', '/x', true],
])('applies robots.txt: %j to %s', (text, path, allowed) => {
  expect(parseRobots(text, 'https://x.test')(new URL(path, 'https://x.test'))).toBe(allowed);
});

it.each([
  [
    'robots.txt',
    () =>
      parseRobots(
        `User-agent: *\nDisallow: /${'*a'.repeat(20)}b`,
        'https://x.test',
      )(new URL(`https://x.test/${'a'.repeat(2_000)}`)),
  ],
  ['links in HTML', () => linksIn('<a '.repeat(1_000_000), new URL('https://x.test'), true)],
  ['links in HTML', () => linksIn(`${'<a href="'.repeat(100_000)}>`, new URL('https://x.test'), true)],
  ['links in Markdown', () => linksIn('['.repeat(2_000_000), new URL('https://x.test'), false)],
  ['links in Markdown', () => linksIn('[]('.repeat(100_000), new URL('https://x.test'), false)],
])('reads %s that were made to take long in linear time', (_what, read) => {
  const startedAt = processorMs();
  read();
  expect(processorMs() - startedAt).toBeLessThan(10_000);
});
