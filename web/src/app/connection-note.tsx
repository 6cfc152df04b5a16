import { CloudOff, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type Connection, useConnection } from '../data/connection.ts';

const words: Partial<Record<Connection, string>> = {
  lost: 'The hub is not responding. This page shows the last known data, keeps your drafts, and reconnects automatically.',
  behind: 'Reconnected. Loading what changed in the meantime…',
};

/** A reload of the hub takes a moment: shorter gaps are not worth a word. */
const PATIENCE_MS = 600;

/** A notice that the page may be stale. */
export function ConnectionNote() {
  const connection = useConnection();
  const [shown, setShown] = useState<Connection>('live');
  useEffect(() => {
    const timer = setTimeout(() => setShown(connection), connection === 'live' ? 0 : PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [connection]);
  const text = words[shown];
  return (
    <div role="status" aria-live="polite">
      {text === undefined ? null : (
        <p className="flex items-center gap-2.5 border-b border-amber/30 bg-amber-wash px-4 py-2 text-sm text-ink">
          {shown === 'lost' ? (
            <CloudOff className="size-4 shrink-0 text-amber" />
          ) : (
            <RefreshCw className="size-4 shrink-0 text-amber" />
          )}
          {text}
        </p>
      )}
    </div>
  );
}
