/** What the checkpoint keeps of a page. */
export interface KnownPage {
  type: string;
  fingerprint: string;
  etag: string | null;
  modified: string | null;
  /** Needed when the page has not changed and is not sent again. */
  links: string[];
  /** Its canonical path, after redirects. */
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
