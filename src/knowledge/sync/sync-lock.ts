import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ZooError } from '../../contract/errors.ts';
import { acquireLock, type Lock } from '../../platform/home/lock.ts';
import type { SourceKey } from '../index/index-reader.ts';
import { sourceId, sourceKey } from '../source-reference.ts';

const Holder = z.object({ pid: z.int(), since: z.string() });

/** Allows one process at a time to sync a source. Callers within a process share its lock. */
export interface SyncLocks {
  /** Locks all of the sources or none, and returns a function that unlocks them. Throws `conflict`, naming the holder. */
  take(sources: readonly SourceKey[]): () => void;
}

/** @param folder holds one lock file per source; the OS releases a lock when its process exits */
export function createSyncLocks(folder: string): SyncLocks {
  const held = new Map<string, { lock: Lock; users: number }>();

  function takeOne(source: SourceKey): () => void {
    const file = join(folder, `${hashOf(source)}.lock`);
    const known = held.get(file);
    if (known) known.users += 1;
    else held.set(file, { lock: acquire(folder, file, source), users: 1 });
    return () => {
      const own = held.get(file);
      if (!own) return;
      own.users -= 1;
      if (own.users > 0) return;
      held.delete(file);
      own.lock.release();
    };
  }

  return {
    take(sources) {
      const releases: (() => void)[] = [];
      const release = (): void => {
        for (const each of releases.splice(0)) each();
      };
      try {
        for (const source of sources) releases.push(takeOne(source));
      } catch (error) {
        release();
        throw error;
      }
      return release;
    },
  };
}

function acquire(folder: string, file: string, source: SourceKey): Lock {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = acquireLock(file);
  if (!lock) throw alreadyLocked(file, source);
  try {
    writeFileSync(holderFile(file), JSON.stringify({ pid: process.pid, since: new Date().toISOString() }));
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

const hashOf = (source: SourceKey): string =>
  createHash('sha256').update(sourceKey(source)).digest('hex').slice(0, 16);

const holderFile = (file: string): string => `${file}.json`;

function alreadyLocked(file: string, source: SourceKey): ZooError {
  const id = sourceId(source);
  const holder = readHolder(file);
  const who = holder === null ? 'another process' : `process ${holder.pid} (since ${holder.since})`;
  return new ZooError(
    'conflict',
    `${id} is already being synced or watched by ${who}. Wait until it has finished, or stop it.`,
    { source: id, ...holder },
  );
}

function readHolder(file: string): z.infer<typeof Holder> | null {
  try {
    return Holder.parse(JSON.parse(readFileSync(holderFile(file), 'utf8')));
  } catch {
    return null;
  }
}
