import { HardDrive } from 'lucide-react';
import { useEffect } from 'react';
import { useIsWorkUnstored } from '../data/browser-storage.ts';

/** A notice that unsaved work would be lost with this window; the browser asks before it is closed. */
export function StorageNote() {
  const isUnstored = useIsWorkUnstored();
  useEffect(() => {
    if (!isUnstored) return undefined;
    const ask = (event: Event): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isUnstored]);
  return (
    <div role="status" aria-live="polite">
      {isUnstored ? (
        <p className="flex items-center gap-2.5 border-b border-amber/30 bg-amber-wash px-4 py-2 text-sm text-ink">
          <HardDrive className="size-4 shrink-0 text-amber" />
          This browser’s storage is full or blocked: unsaved changes and messages last only until you close or
          reload this page. Save or send them, or free or allow storage for this site.
        </p>
      ) : null}
    </div>
  );
}
