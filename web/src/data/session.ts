import { useSyncExternalStore } from 'react';
import { local } from './browser-storage.ts';

/**
 * The way in. The token lives in the storage of this origin (host and port) and travels in a header that only scripts
 * of this origin can set: a server on another port of the same host never gets it, as it would a cookie.
 */
const KEY = 'agent-zoo-token';

export interface Session {
  token: string | null;
  /** Why there is none, where the hub said so. */
  reason: string | null;
  /** Hubs started with `--no-auth` take requests without a token. */
  open: boolean;
}

let session: Session = { token: local.getItem(KEY), reason: null, open: false };
const listeners = new Set<() => void>();

function change(next: Partial<Session>): void {
  session = { ...session, ...next };
  for (const listener of listeners) listener();
}

// Signing in or out in one window counts in all of them.
addEventListener('storage', ({ key, newValue }) => {
  if (key === KEY) change({ token: newValue, reason: null });
});

export const readSession = (): Session => session;

export function useSession(): Session {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, readSession);
}

function signIn(token: string): void {
  local.setItem(KEY, token);
  change({ token, reason: null });
}

export function signOut(reason: string | null = null): void {
  local.removeItem(KEY);
  change({ token: null, reason, open: false });
}

export interface LoginExchange {
  (code: string): Promise<{ token: string }>;
}

/** Exchanges the code behind `#login=`, which browsers send to no server, for a token of this page. */
export async function enter(exchange: LoginExchange, knock: () => Promise<unknown>): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get('login');
  if (code !== null) {
    history.replaceState(null, '', location.pathname + location.search);
    try {
      signIn((await exchange(code)).token);
    } catch (error) {
      signOut(error instanceof Error ? error.message : null);
    }
  }
  if (session.token !== null) return;
  try {
    await knock();
    change({ open: true });
  } catch {
    // Without a token, most hubs answer 401: the page then shows how to sign in.
  }
}
