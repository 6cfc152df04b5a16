import { EmbeddingFailure } from './embedding-failure.ts';
import { parseRetryAfter } from '../../platform/text/retry-after.ts';

export interface PostOptions {
  url: string;
  headers?: Record<string, string>;
  body: unknown;
  signal: AbortSignal;
  timeoutMs: number;
  /** Explains errors that are specific to this API. */
  explain?: (status: number, text: string) => string | null;
}

const DEFAULT_TIMEOUT_SECS = 60;
export const timeoutOf = (config: { timeout_secs?: number | undefined }): number =>
  (config.timeout_secs ?? DEFAULT_TIMEOUT_SECS) * 1_000;

/** Makes one attempt. Messages show the address without secrets. */
export async function postForVectors(options: PostOptions): Promise<unknown> {
  const { headers, body, signal, timeoutMs } = options;
  const url = parseAddress(options.url);
  const shown = `${url.origin}${url.pathname}`;
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, timeout]),
    });
    text = await response.text();
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) {
      throw new EmbeddingFailure(
        `${shown} timed out after ${timeoutMs / 1_000} s; try a smaller [embedding] batch_size or a larger timeout_secs`,
        { remedy: 'retry', cause: error },
      );
    }
    const reason =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new EmbeddingFailure(
      `${shown} cannot be reached (${reason}); check that it is running, and [embedding] url`,
      {
        remedy: 'retry',
        cause: error,
      },
    );
  }
  if (!response.ok) throw refusal(response, text, shown, options.explain);
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    throw new EmbeddingFailure(`${shown} returned something other than JSON; check [embedding] url`);
  }
}

function refusal(
  response: Response,
  text: string,
  shown: string,
  explain: PostOptions['explain'],
): EmbeddingFailure {
  const { status } = response;
  const said = messageIn(text);
  const own = explain?.(status, said) ?? null;
  if (own !== null) return new EmbeddingFailure(own);
  if (status === 401 || status === 403) {
    return new EmbeddingFailure(`${shown} refused the key (${status}: ${said}); set [embedding] api_key`);
  }
  if (status === 429 || status === 408 || status >= 500) {
    return new EmbeddingFailure(`${shown} is unavailable (${status}: ${said}); try again later`, {
      remedy: 'retry',
      retryAfterMs: parseRetryAfter(response.headers.get('retry-after')),
    });
  }
  if (status === 400 || status === 413 || status === 422) {
    return new EmbeddingFailure(`${shown} refused the texts (${status}: ${said})`, { remedy: 'split' });
  }
  return new EmbeddingFailure(`${shown} returned ${status} (${said}); check [embedding] url and model`);
}

function messageIn(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const error = field(value, 'error');
    const message = field(error, 'message') ?? error ?? field(value, 'message');
    if (typeof message === 'string') return clip(message);
  } catch {
    // Not JSON: perhaps from a proxy.
  }
  return clip(text);
}

/** Some services repeat the key in their error message. */
const clip = (text: string): string =>
  text
    .replace(/\b(?:sk|key|Bearer)[-_ ][\w*-]{6,}/gi, '[key]')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200);

export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

export function vectorOf(value: unknown): Float32Array | null {
  // JSON turns NaN into null, which would be read as zero.
  if (!Array.isArray(value) || value.length === 0 || value.some((each) => typeof each !== 'number'))
    return null;
  const vector = Float32Array.from(value, Number);
  return vector.every(Number.isFinite) ? vector : null;
}

/** Requires one vector per text: otherwise they cannot be matched to the texts. */
export function vectorsFor(
  vectors: readonly (Float32Array | null)[],
  answers: number,
  service: string,
  model: string,
): Float32Array[] {
  const found = vectors.filter((vector) => vector !== null);
  if (found.length === vectors.length && answers === vectors.length) return found;
  const what =
    answers <= vectors.length
      ? 'did not return a vector for each text'
      : `returned ${answers} vectors for ${vectors.length} texts`;
  throw new EmbeddingFailure(`${service} ${what}; is ${model} an embedding model?`);
}

function parseAddress(url: string): URL {
  // `localhost:11434` parses as a URL with the scheme `localhost`.
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return new URL(url);
  throw new EmbeddingFailure('[embedding] url is not a URL such as http://localhost:11434');
}
