import { Link } from '@tanstack/react-router';
import { Footprints, X } from 'lucide-react';
import { useState } from 'react';
import { useHubQuery } from '../../data/queries.ts';
import { buttonClass, IconButton } from '../../kit/button.tsx';
import { local } from '../../data/browser-storage.ts';

const KEY = 'agent-zoo-first-steps';

/** Leads to the first steps for as long as no client has ever used the hub, unless it was put away. */
export function FirstSteps() {
  const clients = useHubQuery('listClients', {}).data;
  const [isAway, setAway] = useState(() => local.getItem(KEY) === 'away');
  const isNew = clients?.others.length === 0 && clients.clients.every(({ seen }) => seen.length === 0);
  if (isAway || !isNew) return null;
  return (
    <aside
      aria-label="First steps"
      className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-leaf/30 bg-leaf-wash px-4 py-3 text-sm"
    >
      <Footprints className="size-4 shrink-0 text-leaf" />
      <p className="min-w-0 flex-1 basis-64">
        No client has used this zoo yet. Three steps take you to an agent that works in your own editor.
      </p>
      <Link to="/welcome" className={buttonClass('plain', true)}>
        Take the first steps
      </Link>
      <IconButton
        label="Dismiss"
        small
        onClick={() => {
          local.setItem(KEY, 'away');
          setAway(true);
        }}
      >
        <X />
      </IconButton>
    </aside>
  );
}
