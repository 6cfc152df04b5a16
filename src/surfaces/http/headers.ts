/** On everything: no sniffing, no framing, no referrer, no embedding by other sites, nothing cached. */
export const SAFE_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

const content = (type: string, policy: string): Readonly<Record<string, string>> =>
  Object.freeze({ 'content-type': type, ...SAFE_HEADERS, 'content-security-policy': policy });

const NOTHING = "default-src 'none'; frame-ancestors 'none'";

/** One object for every answer: what is never copied costs nothing. */
export const API_HEADERS = content('application/json', NOTHING);
export const STREAM_HEADERS = content('text/event-stream', NOTHING);
/** For answers without content, or with a type of their own. */
export const BARE_HEADERS = Object.freeze({ ...SAFE_HEADERS, 'content-security-policy': NOTHING });
