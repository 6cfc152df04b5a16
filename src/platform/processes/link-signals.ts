/** A signal that follows others. */
export interface LinkedSignal {
  signal: AbortSignal;
  /** To be called when the signal is no longer needed. */
  unlink(): void;
}

/**
 * Aborts with the first of the signals. For signals that live long: on Node 20 and 22, each `AbortSignal.any` leaves
 * an entry in its sources for as long as they live.
 */
export function linkSignals(...sources: readonly AbortSignal[]): LinkedSignal {
  const own = new AbortController();
  const abort = (event: Event): void => {
    if (event.target instanceof AbortSignal) own.abort(event.target.reason);
  };
  for (const source of sources) {
    if (source.aborted) own.abort(source.reason);
    else source.addEventListener('abort', abort, { once: true });
  }
  return {
    signal: own.signal,
    unlink() {
      for (const source of sources) source.removeEventListener('abort', abort);
    },
  };
}
