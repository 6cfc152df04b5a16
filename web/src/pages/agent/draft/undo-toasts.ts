import { useEffect, useMemo } from 'react';
import { notify } from '../../../kit/toasts.tsx';
import { type Draft, type FieldName, takeField } from './merge-draft.ts';

export interface UndoToasts {
  /** `before` is the draft that the undo takes the field from, or all of them. */
  offer(said: string, field: FieldName | undefined, before: Draft | null): void;
  /** Of a field that changes again, or of all. */
  remove(field?: FieldName): void;
}

/** Toasts that undo a change of the draft. They are there until the field changes again, so they lose no later edit. */
export function useUndoToasts(change: (next: (before: Draft | null) => Draft | null) => void): UndoToasts {
  const toasts = useMemo((): UndoToasts => {
    const shown = new Map<FieldName | 'all', () => void>();
    const remove: UndoToasts['remove'] = (field) => {
      for (const key of field === undefined ? [...shown.keys()] : [field, 'all' as const]) {
        shown.get(key)?.();
        shown.delete(key);
      }
    };
    return {
      remove,
      offer(said, field, before) {
        const undo = (): void =>
          change((now) => (field === undefined ? before : takeField(field, before, now)));
        shown.set(field ?? 'all', notify(said, undo));
      },
    };
  }, [change]);
  useEffect(() => () => toasts.remove(), [toasts]);
  return toasts;
}
