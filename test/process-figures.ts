import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** The resources that a process holds right now. */
export interface ProcessFigures {
  megabytes: number;
  threads: number;
  /** Without those of databases. */
  handles: number;
  /** Open SQLite files: the driver keeps those of a closed connection until its statements are garbage-collected. */
  databases: number;
  /** inotify watches: one for each watched folder or file. */
  watches: number;
  children: number;
}

/** Linux only: elsewhere there is no /proc to read them from. */
export const canReadFigures = process.platform === 'linux';

export function figuresOf(pid: number): ProcessFigures {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const numberOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  const open = readdirSync(`/proc/${pid}/fd`);
  const infos = open.map((fd) => ifOpen(() => readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8')));
  const files = open.map((fd) => ifOpen(() => readlinkSync(`/proc/${pid}/fd/${fd}`)));
  const databases = files.filter((file) => /\.db(-wal|-shm)?$/.test(file)).length;
  return {
    megabytes: Math.round(numberOf('VmRSS') / 1024),
    threads: numberOf('Threads'),
    handles: open.length - databases,
    databases,
    watches: infos.join('\n').match(/^inotify /gm)?.length ?? 0,
    children: childrenOf(pid),
  };
}

function childrenOf(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const lists = tasks.map((task) => ifOpen(() => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')));
  return lists.join(' ').split(/\s+/).filter(Boolean).length;
}

/** Handles and threads may close while they are looked at. */
function ifOpen(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
