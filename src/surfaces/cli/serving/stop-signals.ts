/** One Ctrl-C may arrive twice, from the terminal and from the parent process. */
const SAME_SIGNAL_MS = 1000;

/** The first signal requests a graceful stop; the second exits immediately. */
export function stopSignals(): { requested: Promise<void>; signal: AbortSignal; dispose(): void } {
  const stopping = new AbortController();
  const requested = new Promise<void>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  let askedAt = 0;
  const onSignal = (name: NodeJS.Signals): void => {
    if (!stopping.signal.aborted) {
      askedAt = performance.now();
      stopping.abort();
    } else if (performance.now() - askedAt > SAME_SIGNAL_MS) {
      process.exit(name === 'SIGINT' ? 130 : 143);
    }
  };
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of names) process.on(name, onSignal);
  return {
    requested,
    signal: stopping.signal,
    dispose() {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
