import type { ChildProcess } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { processStart } from './process-start.ts';
import { signalGroup } from './process-groups.ts';

const GRACE_MS = 500;
const LOOK_MS = 50;

const Started = z.object({ pid: z.int().positive(), start: z.string() });
const Record = Started.extend({ command: z.string(), owner: Started });
type Started = z.infer<typeof Started>;

/**
 * Which processes were started, in files: a hub that is killed can end none of them, and one that does not care about
 * a closed input would run for ever.
 */
export interface ProcessRecords {
  /** Written down until it has ended. */
  note(child: ChildProcess, command: string): void;
  /** Ends what was started by those who are no more. Whoever has such an id today is left alone. */
  endLeftBehind(): Promise<{ pid: number; command: string }[]>;
  /** Resolves once all is written that was to be written. */
  settled(): Promise<void>;
}

export function createProcessRecords(folder: string): ProcessRecords {
  const pending = new Set<Promise<void>>();
  let self: Promise<string | null> | undefined;

  async function write(pid: number, command: string): Promise<void> {
    self ??= processStart(process.pid);
    const [start, own] = await Promise.all([processStart(pid), self]);
    if (start === null || own === null) return;
    const record: z.infer<typeof Record> = { pid, start, command, owner: { pid: process.pid, start: own } };
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, `${pid}.json`), JSON.stringify(record), { mode: 0o600 });
  }

  function follow(work: Promise<void>): Promise<void> {
    // What could not be written down is still ended by a hub that ends in any other way.
    const done = work.catch(() => undefined).finally(() => pending.delete(done));
    pending.add(done);
    return done;
  }

  return {
    note(child, command) {
      const { pid } = child;
      if (pid === undefined) return;
      const written = follow(write(pid, command));
      child.once('exit', () => {
        void follow(written.then(() => rm(join(folder, `${pid}.json`), { force: true })));
      });
    },

    async endLeftBehind() {
      const names = await readdir(folder).catch(() => []);
      const ended = await Promise.all(names.map((name) => endOne(join(folder, name))));
      return ended.flatMap((each) => each ?? []);
    },

    async settled() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}

async function endOne(file: string): Promise<{ pid: number; command: string } | null> {
  const record = await read(file);
  if (record && (await isRunning(record.owner))) return null;
  const left = record !== null && (await isRunning(record));
  if (left) await end(record);
  await rm(file, { force: true });
  return left ? { pid: record.pid, command: record.command } : null;
}

async function read(file: string): Promise<z.infer<typeof Record> | null> {
  try {
    return Record.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    // Half of one: its process was just being started when the hub was killed.
    return null;
  }
}

const isRunning = async ({ pid, start }: Started): Promise<boolean> => (await processStart(pid)) === start;

async function end({ pid, start }: Started): Promise<void> {
  signalGroup(pid, 'SIGTERM');
  const until = performance.now() + GRACE_MS;
  let now: string | null = start;
  while (now === start && performance.now() < until) {
    await sleep(LOOK_MS);
    now = await processStart(pid);
  }
  // While there is anybody left in a group, nobody else is given its id.
  if (now === start || now === null) signalGroup(pid, 'SIGKILL');
}
