import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ZooError } from '../../contract/errors.ts';
import { acquireLock, type Lock } from '../../platform/home/lock.ts';
import type { SourceKey } from '../index/index-reader.ts';

const Holder = z.object({ pid: z.int(), since: z.string() });

/** Sees to it that one process at a time syncs a source. Within a process, who has it shares it. */
export interface SyncLocks {
  /** All or none; gives a function that lets go. Throws `conflict` that says who has one of them. */
  take(sources: readonly SourceKey[]): () => void;
}

/** @param folder where each source has a lock of its own, which goes away with whoever holds it */
export function createSyncLocks(folder: string): SyncLocks {
  const held = new Map<string, { lock: Lock; users: number }>();

  function takeOne(source: SourceKey): () => void {
    const file = lockFile(folder, source);
    const known = held.get(file);
    if (known) known.users += 1;
    else {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const lock = acquireLock(file);
      if (!lock) throw taken(file, source);
      held.set(file, { lock, users: 1 });
      writeFileSync(holderFile(file), JSON.stringify({ pid: process.pid, since: new Date().toISOString() }));
    }
    return () => {
      const mine = held.get(file);
      if (!mine) return;
      mine.users -= 1;
      if (mine.users > 0) return;
      held.delete(file);
      mine.lock.release();
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

function lockFile(folder: string, { owner, type, name }: SourceKey): string {
  const mark = createHash('sha256')
    .update(JSON.stringify([owner, type, name]))
    .digest('hex')
    .slice(0, 16);
  return join(folder, `${mark}.lock`);
}

const holderFile = (file: string): string => `${file}.json`;

function taken(file: string, { type, name }: SourceKey): ZooError {
  const holder = readHolder(file);
  const who = holder === null ? 'Another process' : `Process ${holder.pid}`;
  const since = holder === null ? '' : `, since ${holder.since}`;
  return new ZooError(
    'conflict',
    `${who} is syncing ${type}:${name}, or keeps it up to date${since}. Two at once would do the same work twice.`,
    { source: `${type}:${name}`, ...holder },
  );
}

function readHolder(file: string): z.infer<typeof Holder> | null {
  try {
    return Holder.parse(JSON.parse(readFileSync(holderFile(file), 'utf8')));
  } catch {
    return null;
  }
}
