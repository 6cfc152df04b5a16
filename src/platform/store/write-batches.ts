import { messageOf } from '../text/error-message.ts';
import type { Row } from './database.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { type Batch, type BatchOutcome, ROLLBACK } from './sqlite-messages.ts';

/**
 * Executes batches in the transaction that the connection has begun, and commits it. A batch that fails leaves nothing
 * behind, and the others are written. Throws if none of them is.
 */
export function writeBatches(connection: SqliteConnection, batches: readonly Batch[]): BatchOutcome[] {
  try {
    const outcomes = batches.map((batch) => writeBatch(connection, batch));
    connection.run('COMMIT', []);
    return outcomes;
  } catch (error) {
    rollBack(connection);
    throw error;
  }
}

function writeBatch(connection: SqliteConnection, batch: Batch): BatchOutcome {
  const rows: (Row | undefined)[] = [];
  connection.run('SAVEPOINT batch', []);
  try {
    for (const [index, { sql, params, needsRow }] of batch.entries()) {
      const row = connection.one(sql, params);
      if (needsRow && !row) {
        if (!undo(connection)) throw new Error('a refused write could not be undone');
        return { refusedAt: index };
      }
      rows.push(row);
    }
  } catch (error) {
    // After some failures, such as a full disk, SQLite has rolled back the whole transaction.
    if (!undo(connection)) throw error;
    return { error: messageOf(error) };
  }
  connection.run('RELEASE batch', []);
  return { rows };
}

function undo(connection: SqliteConnection): boolean {
  try {
    connection.run('ROLLBACK TO batch', []);
    connection.run('RELEASE batch', []);
    return true;
  } catch {
    return false;
  }
}

function rollBack(connection: SqliteConnection): void {
  try {
    connection.run(ROLLBACK, []);
  } catch {
    // It was rolled back already.
  }
}
