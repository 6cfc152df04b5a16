import robotsParser from 'robots-parser';
import type { WebClient } from './web-client.ts';

/** What each host's `robots.txt` allows us to read. */
export interface Robots {
  allows(url: URL, signal: AbortSignal): Promise<boolean>;
}

const OWN_NAME = 'agent-zoo';
/** The limit that Google uses. */
const MOST_BYTES = 500 * 1024;

type IsAllowed = (url: URL) => boolean;

export function createRobots(client: WebClient): Robots {
  const byOrigin = new Map<string, Promise<IsAllowed>>();

  async function load(origin: string, signal: AbortSignal): Promise<IsAllowed> {
    try {
      const { status, body } = await client.get(new URL('/robots.txt', origin), signal);
      if (status !== 200) return () => true;
      return parseRobots(new TextDecoder().decode(body.subarray(0, MOST_BYTES)), origin);
    } catch {
      signal.throwIfAborted();
      // Fetching the page itself reports an unreachable host.
      return () => true;
    }
  }

  return {
    async allows(url, signal) {
      let isAllowed = byOrigin.get(url.origin);
      if (!isAllowed) {
        isAllowed = load(url.origin, signal);
        byOrigin.set(url.origin, isAllowed);
      }
      return (await isAllowed)(url);
    },
  };
}

export function parseRobots(text: string, origin: string): IsAllowed {
  const robots = robotsParser(new URL('/robots.txt', origin).href, text);
  return (url) => robots.isAllowed(url.href, OWN_NAME) ?? true;
}
