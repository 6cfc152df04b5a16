import { useSyncExternalStore } from 'react';

/** Values that could not be stored, by storage. */
const memories: Map<string, string>[] = [];
const listeners = new Set<() => void>();

/**
 * A storage of the browser. Where it is blocked or full, values are kept in memory: the page works as ever, and
 * `useStorageTrouble` warns that they last only as long as the window.
 */
function createStorage(open: () => Storage) {
  const memory = new Map<string, string>();
  memories.push(memory);
  /** Runs `act`, or says that the browser refused. */
  const attempt = <V>(act: (storage: Storage) => V): { value: V } | null => {
    try {
      return { value: act(open()) };
    } catch {
      return null;
    }
  };
  const remember = (key: string, value: string | null): void => {
    const before = hasTrouble();
    if (value === null) memory.delete(key);
    else memory.set(key, value);
    if (before !== hasTrouble()) for (const listener of listeners) listener();
  };
  return {
    getItem: (key: string): string | null =>
      memory.get(key) ?? attempt((storage) => storage.getItem(key))?.value ?? null,
    setItem(key: string, value: string): void {
      const isStored = attempt((storage) => storage.setItem(key, value)) !== null;
      remember(key, isStored ? null : value);
    },
    removeItem(key: string): void {
      attempt((storage) => storage.removeItem(key));
      remember(key, null);
    },
    keys: (): string[] => [
      ...new Set([...memory.keys(), ...(attempt((storage) => Object.keys(storage))?.value ?? [])]),
    ],
  };
}

export const local = createStorage(() => localStorage);
export const session = createStorage(() => sessionStorage);

const hasTrouble = (): boolean => memories.some((memory) => memory.size > 0);

/** Whether something could not be stored, and would be lost with this window. */
export const useStorageTrouble = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, hasTrouble);
