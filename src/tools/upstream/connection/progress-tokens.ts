import type { Client } from '@modelcontextprotocol/client';
import type { Listener } from './link.ts';

/** Hands progress to whoever listens. */
export interface ProgressTokens {
  /** The token is good for as long as the work takes. */
  during<T>(listener: Listener, work: (token: string) => Promise<T>): Promise<T>;
}

/** By tokens of our own: the SDK forgets its own with the answer, and with that the progress that came beside it. */
export function createProgressTokens(client: Client): ProgressTokens {
  const listeners = new Map<string, Listener>();
  let last = 0;
  client.setNotificationHandler('notifications/progress', ({ params }) => {
    const { progressToken, progress, total, message } = params;
    listeners.get(String(progressToken))?.progress(progress, total, message);
  });
  return {
    async during(listener, work) {
      const token = `zoo-${(last += 1)}`;
      listeners.set(token, listener);
      try {
        return await work(token);
      } finally {
        listeners.delete(token);
      }
    },
  };
}
