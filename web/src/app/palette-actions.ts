import { useSyncExternalStore } from 'react';

/** Something the command palette can do. Pages add their own while they are shown. */
export interface PaletteAction {
  id: string;
  label: string;
  /** Under which heading. */
  group: string;
  hint?: string;
  keys?: string;
  /** The seed of an agent's creature. */
  creature?: string;
  run: () => void;
}

let actions: readonly PaletteAction[] = [];
const listeners = new Set<() => void>();

function change(next: readonly PaletteAction[]): void {
  actions = next;
  for (const listener of listeners) listener();
}

/** Adds actions until the returned function is called: `useEffect(() => addActions([…]), […])`. */
export function addActions(added: readonly PaletteAction[]): () => void {
  change([...actions, ...added]);
  return () => change(actions.filter((action) => !added.includes(action)));
}

export function useActions(): readonly PaletteAction[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => actions,
  );
}
