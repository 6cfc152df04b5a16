import type { IndexConnection } from './index-connection.ts';
import type { Totals } from './totals.ts';

/**
 * What FTS5 scores by is its first record: the number of rows, and for each column that of its terms. It adds what is
 * inserted and keeps what is deleted, so every edit of a document would make frequent words weigh more.
 */
const RECORD = 1;

export function readScoringTotals(connection: IndexConnection): Totals {
  const [rows = 0, ...columns] = readRecord(connection);
  const length = columns.reduce((sum, column) => sum + column, 0);
  return { chunks: rows, averageLength: rows === 0 ? 1 : length / rows };
}

/**
 * Puts down what there really is. Not in a transaction that writes passages: FTS5 writes its own sums at the end of
 * it. Scores go by the sum over all columns, so that is what the first one gets.
 */
export function settleScoringTotals(connection: IndexConnection): void {
  const row = connection.one('SELECT chunks, length FROM total');
  const [chunks, length] = [Number(row?.chunks ?? 0), Number(row?.length ?? 0)];
  const [rows, ...columns] = readRecord(connection);
  if (rows === undefined || rows === chunks) return;
  const numbers = [chunks, ...columns.map((_, at) => (at === 0 ? length : 0))];
  connection.run(
    'UPDATE passage_data SET block = ? WHERE id = ?',
    Uint8Array.from(numbers.flatMap(bytesOf)),
    RECORD,
  );
}

function readRecord(connection: IndexConnection): number[] {
  const block = connection.one('SELECT block FROM passage_data WHERE id = ?', RECORD)?.block;
  return block instanceof Uint8Array ? numbersIn(block) : [];
}

/** Seven bits to a byte, the highest first; the last byte of each has no eighth bit. */
function numbersIn(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 127);
    if (byte > 127) continue;
    numbers.push(value);
    value = 0;
  }
  return numbers;
}

function bytesOf(number: number): number[] {
  const bytes = [number % 128];
  for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift((rest % 128) + 128);
  }
  return bytes;
}
