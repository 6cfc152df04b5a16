import { useSyncExternalStore } from 'react';
import { local, session } from '../../data/browser-storage.ts';

/** The chats that are open as tabs. A window keeps its own over a reload; a new one begins with the last ones. */
const KEY = 'agent-zoo-chat-tabs';
const MOST = 12;
const listeners = new Set<() => void>();
let tabs: readonly string[] = parse(session.getItem(KEY) ?? local.getItem(KEY));

function parse(text: string | null): readonly string[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

function change(next: readonly string[]): void {
  tabs = next;
  for (const storage of [session, local]) storage.setItem(KEY, JSON.stringify(next));
  for (const listener of listeners) listener();
}

export function openTab(id: string): void {
  if (!tabs.includes(id)) change([...tabs, id].slice(-MOST));
}

/** Closes a tab, and says which one stands in its place. */
export function closeTab(id: string): string | undefined {
  const at = tabs.indexOf(id);
  change(tabs.filter((each) => each !== id));
  return tabs[Math.min(at, tabs.length - 1)];
}

export const useTabs = (): readonly string[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => tabs,
  );
