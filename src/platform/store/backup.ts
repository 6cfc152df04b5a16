import { chmod, copyFile, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ZooError } from '../../contract/errors.ts';
import { openSqlite } from './databases/index.ts';
import { recordEvent } from './events.ts';
import { homeFiles } from '../home/paths.ts';
import { openConnection } from './sqlite-connection.ts';

/** Kept, because a restore is a new change: it must not roll back event numbers, the activity log, or what was spent. */
const KEPT_TABLES = ['events', 'tool_calls', 'spending', 'leases'];

/**
 * A backup shows runs that were under way as they were then, and what they did since is not in it. So they stop until
 * a person resumes them, and processes that still work on them lose their leases.
 */
const AFTER_RESTORE = [
  `INSERT INTO main.spending SELECT * FROM restored.spending WHERE true
   ON CONFLICT (day, agent_id) DO UPDATE SET tokens = MAX(tokens, excluded.tokens), usd = MAX(usd, excluded.usd)`,
  `UPDATE main.runs SET state = 'interrupted', error = json_object('code', 'internal', 'message',
     'Restored from a backup that was made during this run. It may have done more since then. Check, then resume with: zoo runs resume ' || id)
   WHERE state IN ('queued', 'running', 'waiting')`,
  "DELETE FROM main.leases WHERE kind = 'run' AND id NOT IN (SELECT id FROM main.runs)",
  'UPDATE main.leases SET owner = NULL, expires_at = 0, fence = fence + 1',
];

/** Writes a consistent copy of the store while it is in use. */
export async function backupHome(home: string, file: string): Promise<{ bytes: number }> {
  const db = await openSqlite(homeFiles(home).database, { threads: false });
  try {
    await db.backup(file);
    // As private as the home, because it contains the same data.
    await chmod(file, 0o600);
  } finally {
    await db.close();
  }
  return { bytes: (await stat(file)).size };
}

/** Restores a backup in one transaction; the previous content is backed up first. */
export async function restoreHome(home: string, file: string): Promise<{ previous: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'zoo-restore-'));
  try {
    const copy = join(folder, 'backup.db');
    await copyFile(file, copy);
    refuseOther(copy, file);
    // Opening the copy migrates an older backup without changing the user's file.
    await (await openSqlite(copy, { threads: false })).close();
    return await replaceWith(home, copy);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function replaceWith(home: string, copy: string): Promise<{ previous: string }> {
  const files = homeFiles(home);
  const db = await openSqlite(files.database, { threads: false });
  try {
    await mkdir(files.backups, { recursive: true, mode: 0o700 });
    const at = new Date().toISOString();
    const previous = join(files.backups, `before-restore-${at.replace(/[:.]/g, '-')}.db`);
    await db.backup(previous);
    await db.restore(copy, KEPT_TABLES, AFTER_RESTORE);
    const event = { type: 'store-restored', workspace: null, agentId: null } as const;
    await db.transaction((tx) => recordEvent(tx, event, at));
    return { previous };
  } finally {
    await db.close();
  }
}

function refuseOther(copy: string, named: string): void {
  let ours: boolean;
  try {
    const connection = openConnection(copy, { readOnly: true });
    ours = connection.one("SELECT 1 AS found FROM sqlite_master WHERE name = 'migrations'", []) !== undefined;
    connection.close();
  } catch {
    ours = false;
  }
  if (!ours) throw new ZooError('invalid_format', `${named} is not a backup of Agent Zoo.`);
}
