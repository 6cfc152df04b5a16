import { isBinaryName } from '../extraction/content-kind.ts';

const anchors = /<a\b[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const inMarkdown = /\[[^\]]*\]\(\s*<?([^\s()<>]+(?:\([^\s()]*\)[^\s()<>]*)?)/g;
const base = /<base\b[^>]*?\bhref\s*=\s*["']?([^"'\s>]+)/i;

/** Where a page leads to, each once, in order. */
export function linksIn(text: string, url: URL, isHtml: boolean): URL[] {
  const start = isHtml ? (base.exec(text)?.[1] ?? '') : '';
  const from = URL.canParse(start, url.href) ? new URL(start, url) : url;
  const written = isHtml
    ? [...text.matchAll(anchors)].map((found) =>
        (found[1] ?? found[2] ?? found[3] ?? '').replaceAll('&amp;', '&'),
      )
    : [...text.matchAll(inMarkdown)].map((found) => found[1] ?? '');
  const links = new Map<string, URL>();
  for (const href of written) {
    if (href === '' || href.startsWith('#') || !URL.canParse(href, from.href)) continue;
    const link = plainUrl(new URL(href, from));
    if (/^https?:$/.test(link.protocol) && !isBinaryName(link.pathname)) links.set(link.href, link);
  }
  return [...links.values()];
}

const canonical = /<link\b(?=[^>]*\brel\s*=\s*["']?canonical\b)[^>]*?\bhref\s*=\s*["']?([^"'\s>]+)/i;
const withoutEnd = (path: string) => path.replace(/\/(?:index\.html?)?$/, '');

/**
 * The address that a page says is its own. It counts only where it is the one it was read from without its query or
 * its end: whole sites say of every page that it is the first one.
 */
export function ownAddress(text: string, url: URL): URL {
  const written = canonical.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  if (written === '' || !URL.canParse(written, url.href)) return url;
  const said = plainUrl(new URL(written, url));
  return said.origin === url.origin && withoutEnd(said.pathname) === withoutEnd(url.pathname) ? said : url;
}

/** Without the place on the page. */
export function plainUrl(url: URL): URL {
  const plain = new URL(url);
  plain.hash = '';
  return plain;
}

/** Names a page within its source: its address without what is the same for all, and without an end that says nothing. */
export function pathOf(url: URL): string {
  const path = decoded(url.pathname).replace(/\/+$/, '');
  return `${url.host}${path}${url.search}`;
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
