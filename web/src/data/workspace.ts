import { useSyncExternalStore } from 'react';
import { local, session } from './browser-storage.ts';

/** The workspace that this window looks at: each window has its own, and a new one begins with the last chosen. */
const KEY = 'agent-zoo-workspace';
const listeners = new Set<() => void>();

/** Null is the workspace that the hub was started in. */
export const readWorkspace = (): string | null => session.getItem(KEY) ?? local.getItem(KEY) ?? null;

export function chooseWorkspace(id: string | null): void {
  for (const storage of [session, local]) {
    if (id === null) storage.removeItem(KEY);
    else storage.setItem(KEY, id);
  }
  for (const listener of listeners) listener();
}

export function useWorkspaceId(): string | null {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, readWorkspace);
}
