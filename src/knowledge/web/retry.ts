import { setTimeout as sleep } from 'node:timers/promises';
import { parseRetryAfter } from '../../platform/text/retry-after.ts';
import { SourceError } from '../source-error.ts';

const FIRST_WAIT_MS = 500;
const ATTEMPTS = 3;
const LONGEST_WAIT_MS = 30_000;
/** Retries per source, so that a failing host does not delay the sync with each of its pages. */
const MOST_RETRIES = 12;

interface Response {
  status: number;
  headers: Record<string, string>;
}

const isTemporary = (status: number) => status === 429 || (status >= 500 && status <= 504);

/**
 * Retries requests to a busy or failing server with exponential backoff, or after its `Retry-After`. Not a library:
 * the retries are shared by all pages of a source.
 */
export function createRetry(): <T extends Response>(
  send: () => Promise<T>,
  signal: AbortSignal,
) => Promise<T> {
  let left = MOST_RETRIES;
  return async (send, signal) => {
    for (let attempt = 1; ; attempt++) {
      const response = await send();
      if (!isTemporary(response.status)) return response;
      const asked = parseRetryAfter(response.headers['retry-after']);
      if (asked !== null && asked > LONGEST_WAIT_MS) {
        throw new SourceError(
          `the server returned ${response.status} and asks to retry after ${Math.ceil(asked / 1000)} seconds`,
        );
      }
      if (attempt === ATTEMPTS || left <= 0) return response;
      left--;
      await sleep(asked ?? FIRST_WAIT_MS * 2 ** (attempt - 1), undefined, { signal });
    }
  };
}
