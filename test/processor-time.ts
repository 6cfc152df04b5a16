/** The processor time of this process in milliseconds. Unlike the clock, it does not run while other programs do. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The least of several rounds: threads that an earlier test left may work during any of them. */
export function leastProcessorMs(work: () => void): number {
  const rounds = Array.from({ length: 5 }, () => {
    const startedAt = processorMs();
    work();
    return processorMs() - startedAt;
  });
  return Math.min(...rounds);
}
