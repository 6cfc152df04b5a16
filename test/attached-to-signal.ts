import { getEventListeners } from 'node:events';

/** How much hangs on a signal: its listeners, and the entries that `AbortSignal.any` leaves in it on Node 20 and 22. */
export function attachedTo(signal: AbortSignal): number {
  const key = Object.getOwnPropertySymbols(signal).find(
    ({ description }) => description === 'kDependantSignals',
  );
  const dependents: unknown = key && Reflect.get(signal, key);
  const size: unknown = typeof dependents === 'object' && dependents ? Reflect.get(dependents, 'size') : 0;
  return Number(size) + getEventListeners(signal, 'abort').length;
}
