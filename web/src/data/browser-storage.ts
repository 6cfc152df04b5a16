import { useSyncExternalStore } from 'react';

/** Keys of unsaved work that could not be stored, by storage. */
const unstored: ReadonlySet<string>[] = [];
const listeners = new Set<() => void>();

/** A storage of the browser. Where it is blocked or full, values are kept in memory as long as the window is open. */
function createStorage(open: () => Storage) {
  const memory = new Map<string, string>();
  const work = new Set<string>();
  unstored.push(work);
  /** Runs `act`, or says that the browser refused. */
  const attempt = <V>(act: (storage: Storage) => V): { value: V } | null => {
    try {
      return { value: act(open()) };
    } catch {
      return null;
    }
  };
  const put = (key: string, value: string | null, isWork: boolean): void => {
    if (value === null) memory.delete(key);
    else memory.set(key, value);
    if (value !== null && isWork) work.add(key);
    else work.delete(key);
    for (const listener of listeners) listener();
  };
  const store = (key: string, value: string, isWork: boolean): void => {
    const isStored = attempt((storage) => storage.setItem(key, value)) !== null;
    put(key, isStored ? null : value, isWork);
  };
  return {
    getItem: (key: string): string | null =>
      memory.get(key) ?? attempt((storage) => storage.getItem(key))?.value ?? null,
    setItem: (key: string, value: string): void => store(key, value, false),
    /** For work that the hub does not have yet: `useIsWorkUnstored` warns if it cannot be stored. */
    setWork: (key: string, value: string): void => store(key, value, true),
    removeItem(key: string): void {
      attempt((storage) => storage.removeItem(key));
      put(key, null, false);
    },
    keys: (): string[] => [
      ...new Set([...memory.keys(), ...(attempt((storage) => Object.keys(storage))?.value ?? [])]),
    ],
  };
}

export const local = createStorage(() => localStorage);
export const session = createStorage(() => sessionStorage);

/** Whether unsaved work could not be stored, and would be lost with this window. */
export const useIsWorkUnstored = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => unstored.some((keys) => keys.size > 0),
  );
