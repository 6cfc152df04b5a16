import { Link, Outlet } from '@tanstack/react-router';
import { Command } from 'lucide-react';
import { useEffect, useState } from 'react';
import { followEvents } from '../data/events/follow-events.ts';
import { OnDemand, onDemand } from '../kit/on-demand.tsx';
import { useSession } from '../data/session.ts';
import { useWorkspaceId } from '../data/workspace.ts';
import { ConnectionNote } from './connection-note.tsx';
import { useQuestionNotices } from '../questions/use-question-notices.ts';
import { PageLinks } from './page-links.tsx';
import { railItem } from './rail-item.ts';
import { MODIFIER, useShortcut } from './shortcuts.ts';
import { SignedOut } from './signed-out.tsx';
import { StorageNote } from './storage-note.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { WorkspaceSwitch } from './workspace-switch.tsx';

const palette = onDemand(async () => (await import('./command-palette.tsx')).CommandPalette);

/** Pages that scroll inside fill the window, less the notes above them: always, or on wide screens. */
const filled =
  'has-[[data-fills=always]]:flex has-[[data-fills=always]]:h-[calc(100dvh-3.25rem)] has-[[data-fills=always]]:flex-col max-md:has-[[data-fills=always]]:flex-none md:has-[[data-fills=always]]:h-dvh xl:has-[[data-fills=wide]]:flex xl:has-[[data-fills=wide]]:h-dvh xl:has-[[data-fills=wide]]:flex-col';

/** The rail on the left, and the page beside it. */
export function Shell() {
  const { token, open, reason } = useSession();
  const way = token ?? (open ? 'open' : null);
  const workspace = useWorkspaceId();
  useEffect(() => (way === null ? undefined : followEvents(way, workspace)), [way, workspace]);
  return way !== null ? <SignedIn /> : <SignedOut reason={reason} />;
}

function SignedIn() {
  const [searching, setSearching] = useState(false);
  useShortcut('mod+k', () => setSearching((is) => !is));
  usePreloadedPalette();
  useQuestionNotices();
  return (
    <div className="flex min-h-dvh max-md:flex-col">
      <a
        href="#page"
        className="absolute top-2 left-2 z-50 -translate-y-20 rounded-md bg-ink px-3 py-2 text-paper focus:translate-y-0"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-20 flex shrink-0 gap-1 border-line bg-paper p-2 max-md:items-center max-md:border-b md:h-dvh md:w-14 md:flex-col md:border-r lg:w-50 lg:px-3 lg:py-4">
        <Link to="/" className="flex items-center gap-2.5 rounded-md px-2 py-1 lg:mb-3">
          <img src="/icon.svg" alt="" className="size-6" />
          <span className="font-serif text-lg max-lg:sr-only">Agent Zoo</span>
        </Link>
        <PageLinks />
        <div className="flex gap-0.5 md:mt-auto md:flex-col">
          <button
            type="button"
            className={railItem}
            onClick={() => setSearching(true)}
            title={`Search (${MODIFIER}K)`}
            onPointerEnter={palette.preload}
          >
            <Command />
            <span className="flex-1 text-left max-lg:sr-only">Search</span>
            <kbd className="font-sans text-xs text-faint max-lg:hidden">{MODIFIER}K</kbd>
          </button>
          <ThemeSwitch />
          <WorkspaceSwitch />
        </div>
      </header>
      <main id="page" className={`min-w-0 flex-1 ${filled}`} tabIndex={-1}>
        <ConnectionNote />
        <StorageNote />
        <Outlet />
      </main>
      {searching ? <OnDemand part={palette} props={{ onClose: () => setSearching(false) }} /> : null}
    </div>
  );
}

/** Loads the palette when Ctrl or ⌘ goes down: what is typed right after Ctrl-K must not get lost. */
function usePreloadedPalette(): void {
  useEffect(() => {
    const listen = ({ key }: KeyboardEvent): void => {
      if (key === 'Control' || key === 'Meta') palette.preload();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}
