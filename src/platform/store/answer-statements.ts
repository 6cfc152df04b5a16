import { messageOf } from '../text/error-message.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { BEGIN, ROLLBACK, type SqliteReply, type SqliteRequest } from './sqlite-messages.ts';
import { writeBatches } from './write-batches.ts';

/**
 * Answers the statements of one connection in order. They are sent without waiting for their BEGIN: if that fails, all
 * of them are refused up to the ROLLBACK, since each would otherwise be a transaction of its own.
 */
export function answerStatements(connection: SqliteConnection): (request: SqliteRequest) => SqliteReply {
  let refusal: string | null = null;
  return (request) => {
    if (request.kind === 'write') return write(connection, request);
    const { id, kind, sql, params } = request;
    if (sql === BEGIN || sql === ROLLBACK) refusal = null;
    if (refusal !== null) return { id, error: refusal };
    try {
      if (kind === 'one') {
        const row = connection.one(sql, params);
        return row ? { id, rows: [row] } : { id };
      }
      if (kind === 'all') return { id, rows: connection.all(sql, params) };
      return { id, changes: connection.run(sql, params).changes };
    } catch (error) {
      const message = messageOf(error);
      if (sql === BEGIN) refusal = message;
      return { id, error: message };
    }
  };
}

function write(
  connection: SqliteConnection,
  { id, batches }: Extract<SqliteRequest, { kind: 'write' }>,
): SqliteReply {
  try {
    connection.run(BEGIN, []);
    return { id, outcomes: writeBatches(connection, batches) };
  } catch (error) {
    return { id, error: messageOf(error) };
  }
}
