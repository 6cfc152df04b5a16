import { readFileSync } from 'node:fs';

const TICK_MS = 10;

/** The processor time that a process has used, without its children; NaN where it cannot be read. */
export function processorMs(pid: number | undefined): number {
  if (pid === undefined || process.platform !== 'linux') return Number.NaN;
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
