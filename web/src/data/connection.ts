import { useSyncExternalStore } from 'react';

/**
 * Whether the page is up to date with the hub. `connecting` is the first attempt, `live` follows every change,
 * `lost` shows older data and keeps trying, `behind` is reading what was missed.
 */
export type Connection = 'connecting' | 'live' | 'lost' | 'behind';

let connection: Connection = 'connecting';
const listeners = new Set<() => void>();

export function setConnection(next: Connection): void {
  if (next === connection) return;
  connection = next;
  for (const listener of listeners) listener();
}

export const readConnection = (): Connection => connection;

/** Resolves once changes are followed, or cannot be: an answer that is read earlier may miss a change. */
export async function whenFollowed(): Promise<void> {
  while (connection === 'connecting') {
    await new Promise<void>((resolve) => {
      const listener = (): void => {
        listeners.delete(listener);
        resolve();
      };
      listeners.add(listener);
    });
  }
}

export function useConnection(): Connection {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, readConnection);
}
