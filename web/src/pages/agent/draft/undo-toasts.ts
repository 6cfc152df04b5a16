import { useEffect, useMemo } from 'react';
import { notify } from '../../../kit/toasts.tsx';
import { type Draft, type FieldName, takeField } from './merge-draft.ts';

export interface Undo {
  said: string;
  /** Without one, all of the draft. */
  field?: FieldName | undefined;
  /** The draft that the undo takes the field from. */
  before: Draft | null;
  /** Offered again once this one is undone: nothing else changed the field in between. */
  earlier?: Undo | undefined;
}

export interface UndoToasts {
  offer(undo: Undo): void;
  /** Of a field that changes again, or of all. Returns what was offered for the field. */
  remove(field?: FieldName): Undo | undefined;
}

/** Toasts that undo a change of the draft. They are there until the field changes again, so they lose no later edit. */
export function useUndoToasts(change: (next: (before: Draft | null) => Draft | null) => void): UndoToasts {
  const toasts = useMemo((): UndoToasts => {
    const shown = new Map<FieldName | 'all', { undo: Undo; hide: () => void }>();
    const remove: UndoToasts['remove'] = (field) => {
      const removed = field && shown.get(field)?.undo;
      for (const key of field === undefined ? [...shown.keys()] : [field, 'all' as const]) {
        shown.get(key)?.hide();
        shown.delete(key);
      }
      return removed;
    };
    const offer: UndoToasts['offer'] = (undo) => {
      const { said, field, before, earlier } = undo;
      const hide = notify(said, () => {
        remove(field);
        change((now) => (field === undefined ? before : takeField(field, before, now)));
        if (earlier) offer(earlier);
      });
      shown.set(field ?? 'all', { undo, hide });
    };
    return { offer, remove };
  }, [change]);
  useEffect(() => () => void toasts.remove(), [toasts]);
  return toasts;
}
