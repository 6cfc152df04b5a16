import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ZooError } from '../../../contract/errors.ts';
import type { Database, Migration, Row, Transaction } from '../database.ts';
import { ensurePrivateFolder } from '../../home/private-folder.ts';
import { createResources } from '../../processes/resources.ts';
import { gatherWrites } from '../gather-writes.ts';
import { LOCK_WAIT_MS, openConnection, type SqliteConnection } from '../sqlite-connection.ts';
import { BEGIN, ROLLBACK } from '../sqlite-messages.ts';
import { type SqliteThread, startSqliteThread } from '../sqlite-thread.ts';
import { writeBatches } from '../write-batches.ts';
import { migrations as released } from '../migrations/index.ts';

/** Shorter than another process takes to exit after its write. */
const VERSION_MS = 5;

export interface SqliteOptions {
  /** A hub keeps its main loop free with a thread that writes and one that scans; a command does without. */
  threads: boolean;
  migrations?: readonly Migration[];
}

/** The store in one file. Several processes may open it; writes wait for each other. */
export async function openSqlite(file: string, options: SqliteOptions): Promise<Database> {
  ensurePrivateFolder(dirname(file));
  keepPrivate(file);
  prepareFile(file, options.migrations ?? released);
  const opened = createResources();
  const closing = (each: { close(): unknown }) => each.close();
  const reader = opened.add(openConnection(file, { readOnly: true }), closing);
  const start = options.threads ? startSqliteThread : inThisThread;
  const writer = opened.add(start(file, { readOnly: false }), closing);
  const scanner = options.threads ? opened.add(startSqliteThread(file, { readOnly: true }), closing) : null;
  let queue: Promise<unknown> = Promise.resolve();
  let closed = false;

  const transaction: Transaction = {
    one: (sql, params = []) => writer.one(sql, params),
    all: (sql, params = []) => writer.all(sql, params),
    run: (sql, params = []) => writer.run(sql, params),
  };

  async function inTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const begun = writer.begin();
    // Reported below, once no more statements are sent.
    begun.catch(() => undefined);
    try {
      // Another thread takes the first statements together with the BEGIN; in this one, they would run before it.
      if (!options.threads) await begun;
      const value = await work(transaction);
      await begun;
      await writer.run('COMMIT', []);
      version = undefined;
      return value;
    } catch (error) {
      await writer.run(ROLLBACK, []).catch(() => undefined);
      throw error;
    }
  }

  /** One at a time: a connection has one transaction. */
  function exclusively<T>(work: () => Promise<T>): Promise<T> {
    if (closed) return Promise.reject(new Error('the database is closed'));
    gathered.closeGroup();
    const turn = queue.then(work);
    queue = turn.catch(() => undefined);
    return turn;
  }

  const gathered = gatherWrites(exclusively, async (batches) => {
    const outcomes = await writer.write(batches);
    version = undefined;
    return outcomes;
  });

  // Called several times per request, so it is cached briefly; our own commits count at once.
  let version: number | undefined;
  let lookedAt = 0;
  const currentVersion = (): number => {
    const now = performance.now();
    if (version === undefined || now - lookedAt > VERSION_MS) {
      version = Number(reader.one('PRAGMA data_version', [])?.data_version);
      lookedAt = now;
    }
    return version;
  };
  return {
    // Async functions, so that a failing statement is a rejection whichever thread it ran in.
    one: async (sql, params = []) => reader.one(sql, params),
    all: async (sql, params = []) => (scanner ? scanner.all(sql, params) : reader.all(sql, params)),
    transaction: (work) => exclusively(() => inTransaction(work)),
    write: gathered.write,
    version: currentVersion,
    backup: (target) =>
      exclusively(async () => {
        await rm(target, { force: true });
        await writer.run('VACUUM INTO ?', [target]);
      }),
    restore: (from, keep, after = []) =>
      exclusively(async () => {
        await restoreFrom(writer, from, keep, after);
        version = undefined;
      }),
    check: async () => {
      const rows = await (scanner ?? writer).all('PRAGMA quick_check', []);
      return rows.map((row) => String(row.quick_check)).filter((line) => line !== 'ok');
    },
    close: async () => {
      if (closed) return;
      closed = true;
      await queue;
      await opened.close();
    },
  };
}

/** SQLite creates its journals with the mode of the database. Those of earlier versions may be readable by others. */
function keepPrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat && (stat.mode & 0o077) !== 0) chmodSync(path, 0o600);
  }
}

/** The writer of a process without threads; opened when first needed, since most commands only read. */
function inThisThread(file: string): SqliteThread {
  let opened: SqliteConnection | undefined;
  const connection = () => (opened ??= openConnection(file, { readOnly: false, waitMs: 0 }));
  return {
    begin: async () => beginPatiently(connection()),
    one: async (sql, params) => connection().one(sql, params),
    all: async (sql, params) => connection().all(sql, params),
    run: async (sql, params) => connection().run(sql, params),
    async write(batches) {
      await beginPatiently(connection());
      return writeBatches(connection(), batches);
    },
    close: async () => opened?.close(),
  };
}

/** Waits for the write lock without blocking the thread: its holder may be this very thread. */
async function beginPatiently(connection: SqliteConnection): Promise<void> {
  const deadline = Date.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      connection.run(BEGIN, []);
      return;
    } catch (error) {
      const locked = error instanceof Error && error.message.includes('database is locked');
      if (!locked || Date.now() > deadline) throw error;
      await delay(2 + Math.random() * 10);
    }
  }
}

/** Creates and migrates the file; safe to run in several processes. */
function prepareFile(file: string, migrations: readonly Migration[]): void {
  const connection = openConnection(file, { readOnly: false });
  try {
    if (connection.one('PRAGMA journal_mode', [])?.journal_mode !== 'wal') {
      connection.one('PRAGMA journal_mode = WAL', []);
    }
    if (appliedIn(connection).length >= migrations.length) return refuseNewer(connection, migrations);
    connection.run(BEGIN, []);
    try {
      connection.run(
        'CREATE TABLE IF NOT EXISTS migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL, at TEXT NOT NULL)',
        [],
      );
      const applied = new Set(appliedIn(connection));
      for (const migration of migrations.filter(({ id }) => !applied.has(id))) {
        for (const statement of migration.statements) connection.run(statement, []);
        const at = new Date().toISOString();
        connection.run('INSERT INTO migrations VALUES (?, ?, ?)', [migration.id, migration.name, at]);
      }
      connection.run('COMMIT', []);
    } catch (error) {
      connection.run(ROLLBACK, []);
      throw error;
    }
  } finally {
    connection.close();
  }
}

function appliedIn(connection: SqliteConnection): number[] {
  const table = connection.one(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'migrations'",
    [],
  );
  if (!table) return [];
  return connection.all('SELECT id FROM migrations ORDER BY id', []).map((row) => Number(row.id));
}

function refuseNewer(connection: SqliteConnection, migrations: readonly Migration[]): void {
  const known = new Set(migrations.map(({ id }) => id));
  const unknown = appliedIn(connection).filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  throw new ZooError(
    'internal',
    'The store was written by a newer version of Agent Zoo. Install that version, or set ZOO_HOME to another folder.',
  );
}

async function restoreFrom(
  writer: SqliteThread,
  from: string,
  keep: readonly string[],
  after: readonly string[],
): Promise<void> {
  await writer.run('ATTACH DATABASE ? AS restored', [from]);
  try {
    try {
      // The ROLLBACK also ends the refusal of statements after a BEGIN that failed.
      await writer.begin();
      for (const table of await ownTables(writer)) {
        if (keep.includes(table)) continue;
        await writer.run(`DELETE FROM main.${table}`, []);
        await writer.run(`INSERT INTO main.${table} SELECT * FROM restored.${table}`, []);
      }
      for (const statement of after) await writer.run(statement, []);
      await writer.run('COMMIT', []);
    } catch (error) {
      await writer.run(ROLLBACK, []).catch(() => undefined);
      throw error;
    }
  } finally {
    await writer.run('DETACH DATABASE restored', []);
  }
}

async function ownTables(writer: SqliteThread): Promise<string[]> {
  const rows: Row[] = await writer.all(
    "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'migrations'",
    [],
  );
  return rows.map((row) => String(row.name));
}
