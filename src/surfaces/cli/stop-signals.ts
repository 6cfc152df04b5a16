/** The first SIGINT or SIGTERM asks to stop; the second does not ask. */
export function stopSignals(): { requested: Promise<void>; signal: AbortSignal; dispose(): void } {
  const stopping = new AbortController();
  const requested = new Promise<void>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const onSignal = (name: NodeJS.Signals): void => {
    if (stopping.signal.aborted) process.exit(name === 'SIGINT' ? 130 : 143);
    stopping.abort();
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
