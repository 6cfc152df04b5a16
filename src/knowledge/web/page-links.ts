import { isBinaryName } from '../extraction/content-kind.ts';

/** The links of a page, each once, in order. */
export function linksIn(text: string, url: URL, isHtml: boolean): URL[] {
  const base = isHtml ? (firstHref(text, 'base') ?? '') : '';
  const from = URL.canParse(base, url.href) ? new URL(base, url) : url;
  const links = new Map<string, URL>();
  for (const href of isHtml ? hrefsIn(text, 'a') : markdownTargets(text)) {
    if (href === '' || href.startsWith('#') || !URL.canParse(href, from.href)) continue;
    const link = plainUrl(new URL(href, from));
    if (/^https?:$/.test(link.protocol) && !isBinaryName(link.pathname)) links.set(link.href, link);
  }
  return [...links.values()];
}

const withoutEnd = (path: string) => path.replace(/\/(?:index\.html?)?$/, '');

/**
 * The canonical address of a page, if it differs from the fetched one only in query and trailing slash. Any
 * other is ignored: some sites declare the home page as the canonical address of all pages.
 */
export function canonicalUrl(html: string, url: URL): URL {
  const written = firstHref(html, 'link', /\brel\s*=\s*["']?canonical\b/i) ?? '';
  if (written === '' || !URL.canParse(written, url.href)) return url;
  const canonical = plainUrl(new URL(written, url));
  const isSame =
    canonical.origin === url.origin && withoutEnd(canonical.pathname) === withoutEnd(url.pathname);
  return isSame ? canonical : url;
}

/** Without the fragment. */
export function plainUrl(url: URL): URL {
  const plain = new URL(url);
  plain.hash = '';
  return plain;
}

/** Identifies a page within its source: the URL without scheme and trailing slash. */
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

/** Longer tags are ignored, which also bounds the time of the expressions below. */
const LONGEST_TAG = 8_192;

/** The tags with this name, each up to its `>`. Always a single pass over the text. */
function* tagsIn(html: string, name: string): Generator<string> {
  const open = `<${name}`;
  for (let at = html.indexOf('<'); at >= 0;) {
    if (html.slice(at, at + open.length).toLowerCase() === open && /\s/.test(html.charAt(at + open.length))) {
      const end = html.indexOf('>', at);
      if (end < 0) return;
      if (end - at <= LONGEST_TAG) yield html.slice(at, end);
      at = end;
    }
    at = html.indexOf('<', at + 1);
  }
}

function* hrefsIn(html: string, name: string, wanted?: RegExp): Generator<string> {
  for (const tag of tagsIn(html, name)) {
    if (wanted && !wanted.test(tag)) continue;
    const [, double, single, bare] = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag) ?? [];
    const href = double ?? single ?? bare;
    if (href !== undefined) yield href.replaceAll('&amp;', '&');
  }
}

function firstHref(html: string, name: string, wanted?: RegExp): string | null {
  for (const href of hrefsIn(html, name, wanted)) return href;
  return null;
}

/** Bounded, so that each part of a text is scanned once. */
const target = /\s{0,8}<?([^\s()<>]{1,2048}(?:\([^\s()]{0,2048}\)[^\s()<>]{0,2048})?)/y;

/** The targets of Markdown links: the text after `](`. */
function* markdownTargets(text: string): Generator<string> {
  for (let at = text.indexOf(']('); at >= 0; at = text.indexOf('](', at + 2)) {
    target.lastIndex = at + 2;
    const found = target.exec(text)?.[1];
    if (found !== undefined) yield found;
  }
}
