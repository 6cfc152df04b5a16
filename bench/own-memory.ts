import { readFileSync } from 'node:fs';

/** What would be free if the process ended: pages that it shares with others do not count. */
export function ownMegabytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = [...text.matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB/gm)].map(([, size]) =>
    Number(size),
  );
  return kilobytes.reduce((sum, size) => sum + size, 0) / 1024;
}
