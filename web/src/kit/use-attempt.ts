import { useState } from 'react';

export interface Attempt {
  /** What went wrong with the last attempt. */
  error: Error | null;
  attempt(work: () => Promise<unknown>): void;
}

/** Runs something that may fail, and keeps the error for the place where it was started. */
export function useAttempt(): Attempt {
  const [error, setError] = useState<Error | null>(null);
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setError(null);
    try {
      await work();
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
    }
  };
  return { error, attempt: (work) => void run(work) };
}
