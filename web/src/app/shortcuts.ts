import { useEffect, useRef } from 'react';

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

/** How the modifier is shown: ⌘K, Ctrl-K. */
export const MODIFIER = isMac ? '⌘' : 'Ctrl-';

/** Runs on `mod+KEY` anywhere on the page, editors included. */
export function useShortcut(keys: `mod+${string}`, run: () => void): void {
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
}
