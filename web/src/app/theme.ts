import { useSyncExternalStore } from 'react';
import { local } from '../data/browser-storage.ts';

/** `public/theme.js` reads the same key before the first paint. */
const KEY = 'agent-zoo-theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

export type ThemeChoice = 'system' | 'light' | 'dark';

const readTheme = (): ThemeChoice => {
  const chosen = local.getItem(KEY);
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
};

function apply(): void {
  const chosen = readTheme();
  document.documentElement.dataset['theme'] =
    chosen === 'system' ? (system.matches ? 'dark' : 'light') : chosen;
  for (const listener of listeners) listener();
}

system.addEventListener('change', apply);
addEventListener('storage', ({ key }) => {
  if (key === KEY) apply();
});

export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') local.removeItem(KEY);
  else local.setItem(KEY, choice);
  apply();
}

export function useTheme(): ThemeChoice {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, readTheme);
}
