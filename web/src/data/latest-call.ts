/** Makes one call at a time, always with the newest input. */
export interface LatestCall<I> {
  ask(input: I): void;
  stop(): void;
}

interface LatestCallOptions<I, O> {
  send: (input: I, signal: AbortSignal) => Promise<O>;
  onAnswer: (answer: O, input: I) => void;
  onError: (error: unknown) => void;
}

/**
 * Inputs that arrive during a call wait for its answer, and only the newest of them is sent. Aborting the call instead
 * would show nothing while inputs arrive faster than answers, and would cost a connection each time.
 */
export function createLatestCall<I, O>({ send, onAnswer, onError }: LatestCallOptions<I, O>): LatestCall<I> {
  const ending = new AbortController();
  let waiting: { input: I } | null = null;
  let isBusy = false;

  async function work(first: I): Promise<void> {
    isBusy = true;
    for (let next: { input: I } | null = { input: first }; next && !ending.signal.aborted; next = waiting) {
      waiting = null;
      const { input } = next;
      try {
        const answer = await send(input, ending.signal);
        if (!ending.signal.aborted) onAnswer(answer, input);
      } catch (error) {
        if (!ending.signal.aborted) onError(error);
      }
    }
    isBusy = false;
  }

  return {
    ask(input) {
      if (isBusy) waiting = { input };
      else void work(input);
    },
    stop: () => ending.abort(),
  };
}
