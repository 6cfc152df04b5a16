/** What is remembered of a page from one sync to the next. */
export interface KnownPage {
  type: string;
  fingerprint: string;
  etag: string | null;
  modified: string | null;
  /** Where it leads to, for when it has not changed and is not sent again. */
  links: string[];
  /** The path of the page that it is another name of, by a redirect or its own word; its own otherwise. */
  same_as?: string;
}

export function parseKnownPages(checkpoint: unknown): Map<string, KnownPage> {
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
