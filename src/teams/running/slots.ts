export interface SlotLimits {
  /** How many turns may run at once, in all. */
  total: number;
  /** How many turns of one harness may run at once. */
  of(harness: string): number;
}

export interface Slots {
  /** Whether any turn may start. */
  hasRoom(): boolean;
  /** False while there is no room for this harness. */
  take(harness: string): boolean;
  free(harness: string): void;
}

export function createSlots(limits: () => SlotLimits): Slots {
  const used = new Map<string, number>();
  const usedBy = (harness: string): number => used.get(harness) ?? 0;
  const hasRoom = (): boolean => [...used.values()].reduce((sum, count) => sum + count, 0) < limits().total;
  return {
    hasRoom,
    take(harness) {
      if (!hasRoom() || usedBy(harness) >= limits().of(harness)) return false;
      used.set(harness, usedBy(harness) + 1);
      return true;
    },
    free(harness) {
      used.set(harness, Math.max(0, usedBy(harness) - 1));
    },
  };
}
