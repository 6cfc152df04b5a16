import type { ChildProcess } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { processStart } from './process-start.ts';
import { groupMembers, signalGroup, signalProcess } from './process-groups.ts';

/** The variable that tells the processes of one group from those of a later group with the same id. */
export const MARK = 'ZOO_CHILD';

const GRACE_MS = 500;
const POLL_MS = 50;

const Started = z.object({ pid: z.int().positive(), start: z.string() });
const Record = Started.extend({ command: z.string(), owner: Started, mark: z.string().optional() });
type Started = z.infer<typeof Started>;

/** A process that outlived the hub which started it. */
export interface Orphan {
  pid: number;
  command: string;
}

/**
 * Files that name the running child processes. A killed hub cannot stop its children, and a child that ignores its
 * closed input would run forever.
 */
export interface ProcessRecords {
  /** Records a child until it has exited. `mark` is the value of `MARK` in its environment. */
  add(child: ChildProcess, command: string, mark: string): void;
  /** Kills the children of dead hubs with their groups. A process that reuses the same id is left alone. */
  endOrphans(): Promise<Orphan[]>;
  /** Resolves once all records are written or removed. */
  settled(): Promise<void>;
}

export function createProcessRecords(folder: string): ProcessRecords {
  const pending = new Set<Promise<void>>();
  let self: Promise<string | null> | undefined;

  async function write(pid: number, command: string, mark: string): Promise<void> {
    self ??= processStart(process.pid);
    const [start, own] = await Promise.all([processStart(pid), self]);
    if (start === null || own === null) return;
    const owner = { pid: process.pid, start: own };
    const record: z.infer<typeof Record> = { pid, start, command, owner, mark };
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, `${pid}.json`), JSON.stringify(record), { mode: 0o600 });
  }

  function follow(work: Promise<void>): Promise<void> {
    // Without a record, the child is still killed when the hub exits normally.
    const done = work.catch(() => undefined).finally(() => pending.delete(done));
    pending.add(done);
    return done;
  }

  return {
    add(child, command, mark) {
      const { pid } = child;
      if (pid === undefined) return;
      const written = follow(write(pid, command, mark));
      child.once('exit', () => {
        void follow(written.then(() => rm(join(folder, `${pid}.json`), { force: true })));
      });
    },

    async endOrphans() {
      const names = await readdir(folder).catch(() => []);
      const ended = await Promise.all(names.map((name) => endOne(join(folder, name))));
      return ended.flatMap((each) => each ?? []);
    },

    async settled() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}

async function endOne(file: string): Promise<Orphan | null> {
  const record = await read(file);
  if (record && (await isRunning(record.owner))) return null;
  const orphan = record !== null && ((await isRunning(record)) ? await end(record) : await endGroup(record));
  await rm(file, { force: true });
  return orphan ? { pid: record.pid, command: record.command } : null;
}

async function read(file: string): Promise<z.infer<typeof Record> | null> {
  try {
    return Record.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    // A partial file: the hub was killed while writing it.
    return null;
  }
}

const isRunning = async ({ pid, start }: Started): Promise<boolean> => (await processStart(pid)) === start;

async function end({ pid, start }: Started): Promise<true> {
  signalGroup(pid, 'SIGTERM');
  const until = performance.now() + GRACE_MS;
  let now: string | null = start;
  while (now === start && performance.now() < until) {
    await sleep(POLL_MS);
    now = await processStart(pid);
  }
  // The system does not reuse the id of a group that still has members.
  if (now === start || now === null) signalGroup(pid, 'SIGKILL');
  return true;
}

/** Its leader has exited, as most programs do with their input. Their environment shows whose group it is. */
async function endGroup({ pid, mark }: z.infer<typeof Record>): Promise<boolean> {
  const members = mark === undefined ? [] : await groupMembers(pid, `${MARK}=${mark}`);
  for (const member of members) signalProcess(member, 'SIGKILL');
  return members.length > 0;
}
