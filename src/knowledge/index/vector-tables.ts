import { getLoadablePath } from 'sqlite-vec';
import { ZooError } from '../../contract/errors.ts';
import type { IndexConnection } from './index-connection.ts';
import { messageOf } from '../../platform/text/error-message.ts';

/** One table per model, since a table has a fixed number of dimensions. */
export const vectorTable = (model: number): string => `vectors_${model}`;

const loaded = new WeakSet<IndexConnection>();

/** Loads the vector extension on demand; not every platform has it. */
export function loadVectorTables(connection: IndexConnection): void {
  if (loaded.has(connection)) return;
  try {
    connection.loadExtension(getLoadablePath());
  } catch (error) {
    const reason = messageOf(error);
    throw new ZooError(
      'internal',
      `embeddings are not supported on this machine: ${reason}. Set [embedding] provider = "disabled" to use keyword search only`,
    );
  }
  loaded.add(connection);
}

export function createVectorTable(connection: IndexConnection, model: number, dims: number): void {
  loadVectorTables(connection);
  // Bits are stored in bytes; models with other dimensions are always scanned exactly.
  const bits = dims % 8 === 0 ? `, bits bit[${dims}]` : '';
  connection.exec(
    `CREATE VIRTUAL TABLE IF NOT EXISTS ${vectorTable(model)} USING vec0 (embedding float[${dims}] distance_metric=cosine${bits})`,
  );
}

/** Drops the vectors of removed chunks, unless another chunk has the same text. */
export function sweepVectors(connection: IndexConnection): void {
  for (const { id: model } of connection.all('SELECT id FROM model')) {
    loadVectorTables(connection);
    const orphans = connection.all(
      `SELECT vector.id FROM dropped JOIN vector ON vector.model = ? AND vector.hash = dropped.hash
       WHERE NOT EXISTS (SELECT 1 FROM chunk WHERE chunk.hash = dropped.hash)`,
      Number(model),
    );
    for (const { id } of orphans) {
      connection.run(`DELETE FROM ${vectorTable(Number(model))} WHERE rowid = ?`, BigInt(Number(id)));
      connection.run('DELETE FROM vector WHERE id = ?', Number(id));
    }
    connection.run('UPDATE model SET vectors = vectors - ? WHERE id = ?', orphans.length, Number(model));
  }
  connection.run('DELETE FROM dropped');
}
