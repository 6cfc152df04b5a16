import { useEffect, useRef } from 'react';
import { addActions } from './palette-actions.ts';

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

/** How the modifier is shown: ⌘K, Ctrl-K. */
export const MODIFIER = isMac ? '⌘' : 'Ctrl-';

/** Runs on `mod+KEY` anywhere on the page, editors included. With a label, the command palette lists it with its keys. */
export function useShortcut(keys: `mod+${string}`, run: () => void, label?: string): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    const wanted = keys.slice('mod+'.length);
    const listen = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== wanted || !(isMac ? event.metaKey : event.ctrlKey) || event.altKey)
        return;
      event.preventDefault();
      latest.current();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [keys]);
  useEffect(() => {
    if (label === undefined) return undefined;
    const shown = MODIFIER + keys.slice('mod+'.length).toUpperCase();
    return addActions([{ id: keys, label, group: 'Actions', keys: shown, run: () => latest.current() }]);
  }, [keys, label]);
}
