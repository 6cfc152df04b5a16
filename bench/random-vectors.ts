import { openIndexForWriting } from '../src/knowledge/index/index-file.ts';
import { bytesOf } from '../src/knowledge/search/vectors/vector-search.ts';
import { createVectorTable, vectorTable } from '../src/knowledge/index/vector-tables.ts';
import { createRandom } from './generated-text.ts';

/** Gives every chunk a vector that means nothing: what is measured is the time to look through them. */
export function fillVectors(file: string, dims: number): void {
  const connection = openIndexForWriting(file);
  const random = createRandom(3);
  const vector = new Float32Array(dims);
  connection.exec('BEGIN');
  const { id: model } = connection.run(
    "INSERT INTO model (fingerprint, provider, model, dims) VALUES ('random', 'bench', 'random', ?)",
    dims,
  );
  createVectorTable(connection, model, dims);
  let vectors = 0;
  for (const { hash } of connection.all('SELECT DISTINCT hash FROM chunk')) {
    if (!(hash instanceof Uint8Array)) continue;
    for (let at = 0; at < dims; at++) vector[at] = random() - 0.5;
    const { id } = connection.run('INSERT INTO vector (model, hash) VALUES (?, ?)', model, hash);
    connection.run(
      `INSERT INTO ${vectorTable(model)} (rowid, embedding, bits) VALUES (?, ?, vec_quantize_binary(?))`,
      BigInt(id),
      bytesOf(vector),
      bytesOf(vector),
    );
    vectors++;
  }
  connection.run('UPDATE model SET vectors = ? WHERE id = ?', vectors, model);
  connection.exec('COMMIT');
  connection.close();
}
