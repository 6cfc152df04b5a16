import type { Client } from '@modelcontextprotocol/client';

/** Nobody has to say that a page is done with. */
const MOST = 1000;

/** The pages that a server has sent people to, until it says that they are done there. */
export interface OpenPages {
  /** Resolves when it says so; undefined for a question that sends nobody anywhere. */
  follow(question: Readonly<Record<string, unknown>>): Promise<void> | undefined;
}

/** Only servers of 2025 say it: the newest revision has neither the notification nor the id in it. */
export function createOpenPages(client: Client): OpenPages {
  const open = new Map<string, () => void>();
  client.setNotificationHandler('notifications/elicitation/complete', ({ params: { elicitationId } }) => {
    open.get(elicitationId)?.();
    open.delete(elicitationId);
  });
  return {
    follow({ elicitationId }) {
      if (typeof elicitationId !== 'string') return undefined;
      const [oldest] = open.keys();
      if (open.size >= MOST && oldest !== undefined) open.delete(oldest);
      return new Promise((resolve) => open.set(elicitationId, resolve));
    },
  };
}
