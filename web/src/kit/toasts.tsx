import { X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';

/** What can be done about a toast, as long as it is there. */
interface ToastAct {
  label: string;
  run: () => void;
}

interface Note {
  id: number;
  text: string;
  act: ToastAct | undefined;
}

const SHOWN_MS = 5000;
/** Long enough to notice, read and reach. */
const UNDO_MS = 12_000;
const MAX_SHOWN = 4;

let notes: readonly Note[] = [];
let last = 0;
const listeners = new Set<() => void>();

function change(next: readonly Note[]): void {
  notes = next;
  for (const listener of listeners) listener();
}

const dismiss = (id: number): void => change(notes.filter((note) => note.id !== id));

/** A message about a success. `undo` reverts it while the toast is visible. Returns what removes the toast. */
export const notify = (text: string, undo?: () => void): (() => void) =>
  announce(text, undo && { label: 'Undo', run: undo });

/** Says that something has happened, with what can be done about it. Returns what removes the toast. */
export function announce(text: string, act?: ToastAct): () => void {
  last += 1;
  const id = last;
  change([...notes.slice(1 - MAX_SHOWN), { id, text, act }]);
  return () => dismiss(id);
}

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => notes,
  );
  return (
    <div
      role="status"
      aria-live="polite"
      // Clear of the buttons at the lower right of sheets; on phones, above them.
      className="pointer-events-none fixed right-4 bottom-18 left-4 z-50 grid gap-2 sm:right-auto sm:bottom-4 sm:left-1/2 sm:w-88 sm:-translate-x-1/2"
    >
      {shown.map((note) => (
        <Toast key={note.id} note={note} />
      ))}
    </div>
  );
}

function Toast({ note: { id, text, act } }: { note: Note }) {
  // The timer pauses while the pointer or focus is on the toast.
  const [held, setHeld] = useState(false);
  const hold = (): void => setHeld(true);
  const release = (): void => setHeld(false);
  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(() => dismiss(id), act ? UNDO_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, act, held]);
  return (
    <div
      data-testid="toast"
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
      className="pointer-events-auto flex items-center gap-3 rounded-md bg-ink py-1.5 pr-1.5 pl-3.5 text-sm text-paper shadow-float transition starting:translate-y-2 starting:opacity-0"
    >
      <span className="min-w-0 flex-1 py-1">{text}</span>
      {act ? (
        <button
          type="button"
          className="rounded-sm px-2 py-1 font-medium underline underline-offset-3 outline-offset-0"
          onClick={() => {
            act.run();
            dismiss(id);
          }}
        >
          {act.label}
        </button>
      ) : null}
      <button
        type="button"
        aria-label="Dismiss"
        className="grid size-7 place-items-center rounded-sm opacity-70 hover:opacity-100"
        onClick={() => dismiss(id)}
      >
        <X className="size-3.5" />
      </button>
    </div>
  );
}
