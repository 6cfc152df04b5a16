import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ZooError } from '../../contract/errors.ts';
import {
  type IndexConnection,
  type IndexConnectionOptions,
  openIndexConnection,
} from './index-connection.ts';
import { isDamaged } from './index-errors.ts';
import { INDEX_SCHEMA, INDEX_VERSION } from './index-schema.ts';

/** "AZKI". Identifies our files, so that a database of another program is never replaced. */
const APPLICATION_ID = 0x415a4b49;

/** Opens the index for writing; creates it if missing, and rebuilds it if it is damaged or of an older version. */
export function openIndexForWriting(
  file: string,
  options: { waitMs?: number; note?: (text: string) => void } = {},
): IndexConnection {
  const { note = () => undefined, waitMs } = options;
  const connect: IndexConnectionOptions = { readOnly: false, ...(waitMs === undefined ? {} : { waitMs }) };
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (existsSync(damageMark(file))) moveAside(file, note);
  try {
    return prepare(file, connect, note);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    moveAside(file, note);
    return prepare(file, connect, note);
  }
}

/** Null before the first sync, including the first one after a format change. */
export function openIndexForReading(file: string): IndexConnection | null {
  if (!existsSync(file)) return null;
  const connection = openIndexConnection(file, { readOnly: true });
  try {
    const version = Number(connection.one('PRAGMA user_version')?.user_version);
    if (version > INDEX_VERSION) refuseNewer(file);
    if (version === INDEX_VERSION) return connection;
    connection.close();
    return null;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Makes the next writer rebuild the index. Readers call this as well when they find damage. */
export function reportDamage(file: string): void {
  writeFileSync(damageMark(file), '');
}

const damageMark = (file: string) => `${file}.rebuild`;

function prepare(
  file: string,
  options: IndexConnectionOptions,
  note: (text: string) => void,
): IndexConnection {
  const connection = openIndexConnection(file, options);
  try {
    const version = Number(connection.one('PRAGMA user_version')?.user_version);
    if (version > INDEX_VERSION) refuseNewer(file);
    if (version !== 0 && version < INDEX_VERSION) {
      connection.close();
      removeIndex(file);
      note('the knowledge index is of an older version and is being rebuilt');
      return prepare(file, options, note);
    }
    if (connection.one('PRAGMA journal_mode')?.journal_mode !== 'wal') {
      connection.one('PRAGMA journal_mode = WAL');
    }
    // A power cut may lose the last documents, which the next sync restores, but never corrupts the file.
    connection.exec('PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY');
    if (version === 0) create(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function create(connection: IndexConnection): void {
  connection.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have created it meanwhile.
    if (Number(connection.one('PRAGMA user_version')?.user_version) === 0) {
      if (connection.one('SELECT 1 FROM sqlite_master')) {
        throw new ZooError(
          'internal',
          `${connection.file} is a database of another program; move it away, so that the knowledge index can be created`,
        );
      }
      for (const statement of INDEX_SCHEMA) connection.exec(statement);
      connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${INDEX_VERSION}`);
    }
    connection.exec('COMMIT');
  } catch (error) {
    rollBack(connection);
    throw error;
  }
}

/** After some errors SQLite has already rolled back, and a second rollback fails. */
export function rollBack(connection: IndexConnection): void {
  try {
    connection.exec('ROLLBACK');
  } catch {
    // No transaction is open.
  }
}

function moveAside(file: string, note: (text: string) => void): void {
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(`${file}${suffix}.damaged`, { force: true });
    if (existsSync(`${file}${suffix}`)) renameSync(`${file}${suffix}`, `${file}${suffix}.damaged`);
  }
  rmSync(damageMark(file), { force: true });
  note(`the knowledge index was damaged: it was moved to ${file}.damaged and is being rebuilt`);
}

function removeIndex(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
}

function refuseNewer(file: string): never {
  throw new ZooError(
    'internal',
    `the knowledge index ${file} was written by a newer version of Agent Zoo; install that version, or remove the file and sync again`,
  );
}
