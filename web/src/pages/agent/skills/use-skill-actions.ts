import { useState } from 'react';
import { notify } from '../../../kit/toasts.tsx';

/** Runs one change; its error is shown beside the board, its success can be undone. */
export function useSkillActions() {
  const [error, setError] = useState<Error | null>(null);
  const run = async (
    change: () => Promise<unknown>,
    said?: string,
    undo?: () => Promise<unknown>,
  ): Promise<void> => {
    setError(null);
    try {
      await change();
      if (said !== undefined) notify(said, undo && (() => void run(undo)));
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
    }
  };
  return { error, run };
}
