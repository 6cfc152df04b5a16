import { readFileSync, readdirSync } from 'node:fs';

/** The resources that a process holds right now. */
export interface ProcessFigures {
  megabytes: number;
  threads: number;
  handles: number;
  /** inotify watches: one for each watched folder or file. */
  watches: number;
  children: number;
}

/** Linux only: elsewhere there is no /proc to read them from. */
export const canReadFigures = process.platform === 'linux';

export function figuresOf(pid: number): ProcessFigures {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const numberOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  const infos = readdirSync(`/proc/${pid}/fdinfo`).map((fd) => readIfOpen(`/proc/${pid}/fdinfo/${fd}`));
  return {
    megabytes: Math.round(numberOf('VmRSS') / 1024),
    threads: numberOf('Threads'),
    handles: infos.length,
    watches: infos.join('\n').match(/^inotify /gm)?.length ?? 0,
    children: childrenOf(pid),
  };
}

function childrenOf(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const lists = tasks.map((task) => readIfOpen(`/proc/${pid}/task/${task}/children`));
  return lists.join(' ').split(/\s+/).filter(Boolean).length;
}

function readIfOpen(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
