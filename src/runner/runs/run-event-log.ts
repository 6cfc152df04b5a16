import { setTimeout as sleep } from 'node:timers/promises';
import { RunEvent } from '../../contract/run.ts';
import type { Database, Statement } from '../../platform/store/database.ts';
import { createBatchWriter } from '../../platform/store/batch-writer.ts';
import { readStored } from '../../platform/store/stored-json.ts';

/** How long events may wait for the next transaction; followers in this process get them at once. */
const WRITE_EVERY_MS = 100;
/** Written events that stay in memory for followers that are a little behind. */
const KEPT_IN_MEMORY = 256;
const PAGE = 500;
/** While the store cannot be written, events beyond this number are lost, oldest first. */
const MOST_WAITING = 50_000;
const POLL_MS = 50;
/** After a crash numbers jump: a follower may have seen more events than were written. */
const JUMP = 10_000;

export interface NumberedEvent {
  seq: number;
  event: RunEvent;
}

export interface OpenEventLog {
  emit(event: RunEvent): void;
  /**
   * The end of the run: `write` stores the last event with what belongs to it, after all other events and in their
   * commit where it can. Followers get that event once it is stored, and come to their end.
   */
  end(last: RunEvent, write: (last: Statement) => Promise<void>): Promise<void>;
  /** Resolves once everything is written; followers here then look for the process that goes on with the run. */
  close(): Promise<void>;
}

/**
 * The events of runs, numbered. They are in memory as they happen and in the store a moment later, so that a follower
 * can come back with the number of the last event it has seen, also to another process or after a restart. It may
 * then get a delta that overlaps with what it has: deltas carry their offset.
 */
export interface RunEventLog {
  /** For a new run: followers find it in memory from the start. */
  begin(runId: string): OpenEventLog;
  /** For a run that has events already. */
  reopen(runId: string): Promise<OpenEventLog>;
  /** Events after a number, until `hasEnded` says that no more will come. */
  follow(
    runId: string,
    after: number,
    signal: AbortSignal,
    hasEnded: () => Promise<boolean>,
  ): AsyncIterable<NumberedEvent>;
  /** Writes everything, if the store takes it. */
  close(): Promise<void>;
}

interface OpenRun {
  /** The newest events, oldest first; everything before them is written. */
  tail: NumberedEvent[];
  written: number;
  wake: Set<() => void>;
  /** The last event is in the tail and in the store. */
  isOver: boolean;
}

type Unwritten = NumberedEvent & { runId: string };

export function createRunEventLog(
  db: Database,
  onError: (message: string, error: unknown) => void,
): RunEventLog {
  const open = new Map<string, OpenRun>();
  /** The last event of each run that is not being written yet. */
  const newest = new Map<string, Unwritten>();
  const writer = createBatchWriter<Unwritten>({
    what: 'events of runs',
    async write(batch) {
      newest.clear();
      await db.write(insertAll(batch));
      for (const { runId, seq } of batch) trim(open.get(runId), seq);
    },
    flushMs: WRITE_EVERY_MS,
    flushAt: PAGE,
    mostWaiting: MOST_WAITING,
    onError,
  });

  const openLog = (runId: string, written: number): OpenEventLog => {
    const run: OpenRun = { tail: [], written, wake: new Set(), isOver: false };
    open.set(runId, run);
    let seq = written === 0 ? 0 : written + JUMP;
    const wake = (): void => {
      for (const each of run.wake) each();
    };
    const forget = (): void => {
      if (open.get(runId) === run) open.delete(runId);
      wake();
    };
    let isEnding = false;
    return {
      emit(event) {
        // Calls that were not waited for may still tell of their progress.
        if (isEnding) return;
        seq++;
        run.tail.push({ seq, event });
        const before = newest.get(runId);
        if (!before || !join(before, { seq, event })) {
          const next = { runId, seq, event };
          newest.set(runId, next);
          writer.add(next);
        }
        wake();
      },
      async end(last, write) {
        const isBehind = writer.isWriting() || writer.trouble() !== null;
        const flushed = writer.flush();
        if (isBehind) await flushed;
        isEnding = true;
        const numbered = { seq: seq + 1, event: last };
        await Promise.all([flushed, write(insert({ runId, ...numbered }))]);
        run.tail.push(numbered);
        run.isOver = true;
        forget();
      },
      async close() {
        await writer.flush();
        forget();
      },
    };
  };

  return {
    begin: (runId) => openLog(runId, 0),
    async reopen(runId) {
      const row = await db.one('SELECT MAX(seq) AS last FROM run_events WHERE run_id = ?', [runId]);
      return openLog(runId, Number(row?.last ?? 0));
    },

    async *follow(runId, after, signal, hasEnded) {
      let last = after;
      let known: OpenRun | undefined;
      while (!signal.aborted) {
        // One that is over has all that is left to follow.
        known = open.get(runId) ?? (known?.isOver ? known : undefined);
        const run = known;
        const version = run ? null : db.version();
        const ended = run === undefined && (await hasEnded());
        const isBehind = run === undefined || last < (run.tail[0]?.seq ?? run.written + 1) - 1;
        const stored = isBehind ? await read(db, runId, last) : [];
        const events = stored.length > 0 ? stored : run ? tailAfter(run, last) : [];
        for (const each of events) {
          last = each.seq;
          yield each;
        }
        if (events.length > 0) continue;
        if (ended || run?.isOver) return;
        await (run ? news(run, last, signal) : nextCommit(db, version, signal));
      }
    },
    close: writer.close,
  };
}

/** Numbers in the tail are consecutive. */
function tailAfter({ tail }: OpenRun, last: number): NumberedEvent[] {
  return tail.slice(Math.max(0, last + 1 - (tail[0]?.seq ?? 0)));
}

/** Joins a delta with the one before it: models send a few characters at a time. Whether it could. */
function join(before: Unwritten, { seq, event: b }: NumberedEvent): boolean {
  const a = before.event;
  if (b.type !== 'text' && b.type !== 'reasoning') return false;
  if (a.type !== b.type || a.step !== b.step || a.part !== b.part) return false;
  if (a.offset + a.text.length !== b.offset) return false;
  // A new object: followers may hold the one before.
  before.event = { ...a, text: a.text + b.text };
  before.seq = seq;
  return true;
}

/** Rows per statement. */
const ROWS = 20;

function insert(...events: readonly Unwritten[]): Statement {
  const rows = events.map(() => '(?, ?, ?)').join(', ');
  return {
    sql: `INSERT INTO run_events (run_id, seq, event) VALUES ${rows} ON CONFLICT DO NOTHING`,
    params: events.flatMap(({ runId, seq, event }) => [runId, seq, JSON.stringify(event)]),
  };
}

function insertAll(events: readonly Unwritten[]): Statement[] {
  const statements: Statement[] = [];
  for (let from = 0; from < events.length; from += ROWS)
    statements.push(insert(...events.slice(from, from + ROWS)));
  return statements;
}

async function read(db: Database, runId: string, after: number): Promise<NumberedEvent[]> {
  const rows = await db.all(
    `SELECT seq, event FROM run_events WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ${PAGE}`,
    [runId, after],
  );
  return rows.map(({ seq, event }) => ({ seq: Number(seq), event: readStored(RunEvent, event) }));
}

function trim(run: OpenRun | undefined, written: number): void {
  if (!run) return;
  run.written = Math.max(run.written, written);
  const firstUnwritten = run.tail.findIndex(({ seq }) => seq > run.written);
  const writtenCount = firstUnwritten < 0 ? run.tail.length : firstUnwritten;
  if (writtenCount > 2 * KEPT_IN_MEMORY) run.tail.splice(0, writtenCount - KEPT_IN_MEMORY);
}

/** Resolves with the next event after `last`, with the end of the log, or with the signal. */
function news(run: OpenRun, last: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      run.wake.delete(done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    run.wake.add(done);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted || (run.tail.at(-1)?.seq ?? 0) > last) done();
  });
}

/** The run belongs to another process: its events come through the store. */
async function nextCommit(db: Database, seen: number | null, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && db.version() === seen) {
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}
