import { setTimeout as sleep } from 'node:timers/promises';
import { parseRetryAfter } from '../embedding/retry-after.ts';
import { SourceError } from '../source-error.ts';

const FIRST_WAIT_MS = 500;
const ATTEMPTS = 3;
const LONGEST_WAIT_MS = 30_000;
/** A host that fails all the time is not worth the wait with each of its pages. */
const PATIENCE = 12;

interface Answered {
  status: number;
  headers: Record<string, string>;
}

const isPassing = (status: number) => status === 429 || (status >= 500 && status <= 504);

/** Asks again, after a while, where a server is too busy or out of order: as long after as it says, if it does. */
export function createRetry(): <T extends Answered>(
  send: () => Promise<T>,
  signal: AbortSignal,
) => Promise<T> {
  let patience = PATIENCE;
  return async (send, signal) => {
    for (let attempt = 1; ; attempt++) {
      const answer = await send();
      if (!isPassing(answer.status)) return answer;
      const asked = parseRetryAfter(answer.headers['retry-after']);
      if (asked !== null && asked > LONGEST_WAIT_MS) {
        throw new SourceError(
          `answers ${answer.status}, and wants to be left alone for ${Math.ceil(asked / 1000)} seconds`,
        );
      }
      if (attempt === ATTEMPTS || patience <= 0) return answer;
      patience--;
      await sleep(asked ?? FIRST_WAIT_MS * 2 ** (attempt - 1), undefined, { signal });
    }
  };
}
