import { useSyncExternalStore } from 'react';

/** Values for the arguments of an agent, to see the prompt with. They are this window's, and never saved. */
const listeners = new Set<() => void>();
const values = new Map<string, Readonly<Record<string, string>>>();
const none: Readonly<Record<string, string>> = {};

export function setTryValue(agentId: string, name: string, value: string): void {
  const { [name]: _dropped, ...others } = values.get(agentId) ?? none;
  values.set(agentId, value === '' ? others : { ...others, [name]: value });
  for (const listener of listeners) listener();
}

export function useTryValues(agentId: string): Readonly<Record<string, string>> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => values.get(agentId) ?? none,
  );
}
