/** Long enough for a local model to answer, and shorter than anybody notices. */
const WAIT_MS = 20;

/** A write that can wait a moment for others that it is committed with. */
export interface SoonWritten {
  /** Starts it at once, the first time; resolves once it is written. */
  now(): Promise<void>;
}

export function writeSoon(write: () => Promise<void>): SoonWritten {
  let written: Promise<void> | null = null;
  const now = (): Promise<void> => {
    clearTimeout(timer);
    if (!written) {
      written = write();
      // Reported to whoever waits for it at the end.
      written.catch(() => undefined);
    }
    return written;
  };
  const timer = setTimeout(() => void now(), WAIT_MS);
  return { now };
}
