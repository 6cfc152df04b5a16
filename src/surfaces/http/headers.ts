/** On every answer: no sniffing, no framing, no referrer, no embedding by other sites, no caching. */
export const SAFE_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

const content = (type: string, policy: string): Readonly<Record<string, string>> =>
  Object.freeze({ 'content-type': type, ...SAFE_HEADERS, 'content-security-policy': policy });

const NOTHING = "default-src 'none'; frame-ancestors 'none'";

/** One shared object, since copying headers for every answer is measurable. */
export const API_HEADERS = content('application/json', NOTHING);
export const STREAM_HEADERS = content('text/event-stream', NOTHING);
/** For answers without content or with their own content type. */
export const BARE_HEADERS = Object.freeze({ ...SAFE_HEADERS, 'content-security-policy': NOTHING });
