import { chmod, copyFile, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ZooError } from '../../contract/errors.ts';
import type { Database } from './database.ts';
import { openSqlite } from './databases/index.ts';
import { recordEvent } from './events.ts';
import { homeFiles } from '../home/paths.ts';
import { openConnection } from './sqlite-connection.ts';

/**
 * Kept, because a restore is a new change: it must not roll back event numbers, the activity log, what was spent, or
 * what was revoked.
 */
const KEPT_TABLES = ['events', 'tool_calls', 'spending', 'leases', 'revocations'];

/**
 * A backup contains active runs and teams in the state of that time, without what they have done since. So they stop
 * until a person resumes them, and processes that still work on them lose their leases.
 */
const AFTER_RESTORE = [
  `INSERT INTO main.spending SELECT * FROM restored.spending WHERE true
   ON CONFLICT (day, agent_id) DO UPDATE SET tokens = MAX(tokens, excluded.tokens), usd = MAX(usd, excluded.usd)`,
  `UPDATE main.runs SET state = 'interrupted', error = json_object('code', 'internal', 'message',
     'Restored from a backup that was made during this run. It may have done more since then. Check, then resume with: zoo runs resume ' || id)
   WHERE state IN ('queued', 'running', 'waiting')`,
  "UPDATE main.teams SET state = 'paused', data = json_set(data, '$.state', 'paused') WHERE state = 'running'",
  // Members that still run belong to the replaced teams.
  'DELETE FROM main.member_tokens',
  "DELETE FROM main.leases WHERE kind = 'run' AND id NOT IN (SELECT id FROM main.runs)",
  'UPDATE main.leases SET owner = NULL, expires_at = 0, fence = fence + 1',
  // Tokens and approvals that were revoked since the backup stay revoked.
  'INSERT OR IGNORE INTO main.revocations SELECT * FROM restored.revocations',
  "DELETE FROM main.access_tokens WHERE id IN (SELECT id FROM main.revocations WHERE kind = 'token')",
  `DELETE FROM main.trust WHERE EXISTS (SELECT 1 FROM main.revocations
     WHERE kind = 'trust' AND revocations.id = trust.path AND revocations.at >= trust.approved_at)`,
];

/** Writes a consistent copy of the store while it is in use. */
export async function backupHome(home: string, file: string): Promise<{ bytes: number }> {
  return withStore(home, (db) => backupStore(db, file));
}

export async function backupStore(db: Database, file: string): Promise<{ bytes: number }> {
  await db.backup(file);
  // As private as the home, because it contains the same data.
  await chmod(file, 0o600);
  return { bytes: (await stat(file)).size };
}

/** Restores a backup in one transaction; the previous content is backed up first. */
export async function restoreHome(home: string, file: string): Promise<{ previous: string }> {
  return withStore(home, (db) => restoreStore(db, home, file));
}

export async function restoreStore(db: Database, home: string, file: string): Promise<{ previous: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'zoo-restore-'));
  try {
    const copy = join(folder, 'backup.db');
    await copyFile(file, copy);
    requireBackup(copy, file);
    // Opening the copy migrates an older backup without changing the user's file.
    await (await openSqlite(copy, { threads: false })).close();
    return await replaceWith(db, home, copy);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function replaceWith(db: Database, home: string, copy: string): Promise<{ previous: string }> {
  const { backups } = homeFiles(home);
  await mkdir(backups, { recursive: true, mode: 0o700 });
  const at = new Date().toISOString();
  const previous = join(backups, `before-restore-${at.replace(/[:.]/g, '-')}.db`);
  await backupStore(db, previous);
  await db.restore(copy, KEPT_TABLES, AFTER_RESTORE);
  const event = { type: 'store-restored', workspace: null, agentId: null } as const;
  await db.transaction((tx) => recordEvent(tx, event, at));
  return { previous };
}

async function withStore<T>(home: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openSqlite(homeFiles(home).database, { threads: false });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** Throws unless the file is a store. */
export function requireBackup(file: string, named: string): void {
  let ours: boolean;
  try {
    const connection = openConnection(file, { readOnly: true });
    ours = connection.one("SELECT 1 AS found FROM sqlite_master WHERE name = 'migrations'", []) !== undefined;
    connection.close();
  } catch {
    ours = false;
  }
  if (!ours) throw new ZooError('invalid_format', `${named} is not a backup of Agent Zoo.`);
}
