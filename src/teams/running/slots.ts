/** How many turns may run at once, in all and per harness. */
export interface Slots {
  /** False while there is no room. */
  take(harness: string): boolean;
  free(harness: string): void;
}

export function createSlots(total: () => number): Slots {
  const used = new Map<string, number>();
  const usedBy = (harness: string): number => used.get(harness) ?? 0;
  return {
    take(harness) {
      const all = [...used.values()].reduce((sum, count) => sum + count, 0);
      if (all >= total()) return false;
      used.set(harness, usedBy(harness) + 1);
      return true;
    },
    free(harness) {
      used.set(harness, Math.max(0, usedBy(harness) - 1));
    },
  };
}
