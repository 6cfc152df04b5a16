import type { EmbedStatus } from '../../contract/knowledge.ts';
import { type Encoder, encoderOf, embedTexts } from './embed-texts.ts';
import { EmbeddingFailure } from './embedding-failure.ts';
import type { EmbeddingConfig } from './embedding-provider.ts';
import { measureUnrelated } from '../search/vectors/similarity-scale.ts';
import { type IndexConnection, textOrNull } from '../index/index-connection.ts';
import { rollBack } from '../index/index-file.ts';
import type { EmbedProgress, ReaderScope } from '../index/index-reader.ts';
import { storedHeadings } from '../index/index-rows.ts';
import { compileFilters } from '../search/search-filters.ts';
import { bytesOf, findModel, type VectorModel } from '../search/vectors/vector-search.ts';
import { createVectorTable, loadVectorTables, vectorTable } from '../index/vector-tables.ts';
import { messageOf } from '../../platform/text/error-message.ts';

/** The encoder's input for one chunk, with its headings for context. */
function embeddedText(headings: readonly string[], body: string): string {
  return headings.length === 0 ? body : `${headings.join(' › ')}\n\n${body}`;
}

interface EmbedRequest {
  connection: IndexConnection;
  encoder: Encoder;
  scope: ReaderScope;
  rebuild: boolean;
  signal: AbortSignal;
  onProgress(progress: EmbedProgress): void;
}

/** Embeds chunks without vectors. Each batch is stored immediately. */
export async function embedChunks(request: EmbedRequest): Promise<{ embedded: number }> {
  const { connection, encoder, scope, signal, onProgress } = request;
  loadVectorTables(connection);
  try {
    if (request.rebuild) {
      // Test the encoder before the existing vectors are dropped.
      await embedTexts(encoder, ['ready?'], 'document', { signal });
      transaction(connection, () => dropVectors(connection));
    }
    const total = embedCounts(connection, encoder, scope).pending;
    let embedded = 0;
    let after = 0;
    let refused: EmbeddingFailure | undefined;
    onProgress({ embedded, total });
    for (;;) {
      const batch = pendingChunks(connection, encoder, scope, after);
      const last = batch.at(-1);
      if (!last) break;
      after = last.id;
      const texts = [...new Map(batch.map(({ key, hash, text }) => [key, { hash, text }])).values()];
      const vectors = await embedEach(
        encoder,
        texts.map(({ text }) => text),
        signal,
        (error) => (refused ??= error),
      );
      transaction(connection, () => {
        for (const [at, { hash }] of texts.entries()) {
          const vector = vectors[at];
          if (!vector) continue;
          storeVector(connection, openModel(connection, encoder, vector.length), hash, vector);
          embedded++;
        }
      });
      onProgress({ embedded, total: Math.max(total, embedded) });
    }
    if (refused && embedded === 0) throw refused;
    await refreshScale(connection, encoder, signal);
    if (refused) rememberError(connection, encoder, refused);
    else connection.run('DELETE FROM embedding_error WHERE fingerprint = ?', encoder.fingerprint);
    return { embedded };
  } catch (error) {
    if (!signal.aborted) rememberError(connection, encoder, error);
    throw error;
  }
}

/** Embeds the other texts if the encoder refuses one. */
async function embedEach(
  encoder: Encoder,
  texts: readonly string[],
  signal: AbortSignal,
  onRefused: (error: EmbeddingFailure) => void,
): Promise<(Float32Array | null)[]> {
  try {
    return await embedTexts(encoder, texts, 'document', { signal });
  } catch (error) {
    if (!(error instanceof EmbeddingFailure) || error.remedy !== 'split') throw error;
    onRefused(error);
    if (texts.length === 1) return [null];
  }
  const vectors: (Float32Array | null)[] = [];
  for (const text of texts) vectors.push(...(await embedEach(encoder, [text], signal, onRefused)));
  return vectors;
}

function pendingChunks(connection: IndexConnection, encoder: Encoder, scope: ReaderScope, after: number) {
  const filter = compileFilters(connection, scope);
  if (!filter.possible) return [];
  const size = encoder.config.batch_size ?? encoder.provider.batchSize;
  return connection
    .all(
      `SELECT chunk.id, chunk.hash, chunk.headings, chunk.body FROM chunk JOIN document ON document.id = chunk.document
       WHERE chunk.id > ?${filter.sql === null ? '' : ` AND ${filter.sql}`}
       AND NOT EXISTS (SELECT 1 FROM vector WHERE vector.model = ? AND vector.hash = chunk.hash)
       ORDER BY chunk.id LIMIT ?`,
      after,
      ...filter.params,
      modelId(connection, encoder),
      size,
    )
    .flatMap(({ id, hash, headings, body }) =>
      hash instanceof Uint8Array
        ? [
            {
              id: Number(id),
              hash,
              key: Buffer.from(hash).toString('hex'),
              text: embeddedText(storedHeadings(headings), String(body)),
            },
          ]
        : [],
    );
}

function openModel(connection: IndexConnection, encoder: Encoder, dims: number): VectorModel {
  const known = findModel(connection, encoder.fingerprint);
  if (known) {
    if (known.dims === dims) return known;
    throw new Error(
      `${encoder.model} now returns ${dims} dimensions, and the index has ${known.dims}; run \`zoo embed rebuild\``,
    );
  }
  const { id } = connection.run(
    'INSERT INTO model (fingerprint, provider, model, dims) VALUES (?, ?, ?, ?)',
    encoder.fingerprint,
    encoder.provider.name,
    encoder.model,
    dims,
  );
  createVectorTable(connection, id, dims);
  return { id, fingerprint: encoder.fingerprint, dims, vectors: 0, unrelated: null, measured: 0 };
}

function storeVector(
  connection: IndexConnection,
  model: VectorModel,
  hash: Uint8Array,
  vector: Float32Array,
): void {
  // The chunk may have been removed while its text was being embedded.
  const { changes, id } = connection.run(
    'INSERT OR IGNORE INTO vector (model, hash) SELECT ?, ? WHERE EXISTS (SELECT 1 FROM chunk WHERE hash = ?)',
    model.id,
    hash,
    hash,
  );
  if (changes === 0) return;
  const bytes = bytesOf(vector);
  if (model.dims % 8 === 0) {
    connection.run(
      `INSERT INTO ${vectorTable(model.id)} (rowid, embedding, bits) VALUES (?, ?, vec_quantize_binary(?))`,
      BigInt(id),
      bytes,
      bytes,
    );
  } else {
    connection.run(
      `INSERT INTO ${vectorTable(model.id)} (rowid, embedding) VALUES (?, ?)`,
      BigInt(id),
      bytes,
    );
  }
  connection.run('UPDATE model SET vectors = vectors + 1 WHERE id = ?', model.id);
}

function dropVectors(connection: IndexConnection): void {
  for (const { id } of connection.all('SELECT id FROM model')) {
    connection.exec(`DROP TABLE IF EXISTS ${vectorTable(Number(id))}`);
  }
  connection.exec('DELETE FROM vector; DELETE FROM model; DELETE FROM embedding_error');
}

/** Smaller collections are not measured: their accidental similarities are not representative. */
const LEAST_MEASURED = 20;

/** Measured again when the collection has grown by half. */
async function refreshScale(
  connection: IndexConnection,
  encoder: Encoder,
  signal: AbortSignal,
): Promise<void> {
  const model = findModel(connection, encoder.fingerprint);
  if (!model || model.vectors < Math.max(LEAST_MEASURED, model.measured * 1.5)) return;
  const unrelated = await measureUnrelated(connection, model, (texts) =>
    embedTexts(encoder, texts, 'query', { signal }),
  );
  connection.run(
    'UPDATE model SET unrelated = ?, measured = ? WHERE id = ?',
    unrelated,
    model.vectors,
    model.id,
  );
}

export function readEmbedStatus(
  connection: IndexConnection | null,
  config: EmbeddingConfig,
  scope: ReaderScope,
): EmbedStatus {
  const encoder = encoderOf(config);
  const status: EmbedStatus = {
    provider: config.provider ?? 'disabled',
    model: encoder?.model ?? null,
    dims: config.dims ?? null,
    fingerprint: encoder?.fingerprint ?? null,
    chunks: 0,
    embedded: 0,
    pending: 0,
    stale: 0,
    last_error: null,
  };
  if (!connection) return status;
  const counts = embedCounts(connection, encoder, scope);
  const error = encoder
    ? connection.one('SELECT error FROM embedding_error WHERE fingerprint = ?', encoder.fingerprint)
    : undefined;
  const stale = connection.one(
    'SELECT coalesce(sum(vectors), 0) AS n FROM model WHERE fingerprint <> ?',
    encoder?.fingerprint ?? '',
  );
  return {
    ...status,
    ...counts,
    dims: (encoder && findModel(connection, encoder.fingerprint)?.dims) ?? status.dims,
    stale: Number(stale?.n ?? 0),
    last_error: textOrNull(error?.error),
  };
}

function embedCounts(connection: IndexConnection, encoder: Encoder | null, scope: ReaderScope) {
  const filter = compileFilters(connection, scope);
  if (!filter.possible) return { chunks: 0, embedded: 0, pending: 0 };
  const row = connection.one(
    `SELECT count(*) AS chunks, count(vector.id) AS embedded FROM chunk JOIN document ON document.id = chunk.document
     LEFT JOIN vector ON vector.model = ? AND vector.hash = chunk.hash${filter.sql === null ? '' : ` WHERE ${filter.sql}`}`,
    encoder ? modelId(connection, encoder) : -1,
    ...filter.params,
  );
  const [chunks, embedded] = [Number(row?.chunks ?? 0), Number(row?.embedded ?? 0)];
  return { chunks, embedded, pending: encoder ? chunks - embedded : 0 };
}

const modelId = (connection: IndexConnection, encoder: Encoder): number =>
  findModel(connection, encoder.fingerprint)?.id ?? -1;

function rememberError(connection: IndexConnection, encoder: Encoder, error: unknown): void {
  const message = messageOf(error);
  connection.run(
    'INSERT OR REPLACE INTO embedding_error (fingerprint, error) VALUES (?, ?)',
    encoder.fingerprint,
    message,
  );
}

function transaction(connection: IndexConnection, work: () => void): void {
  connection.exec('BEGIN IMMEDIATE');
  try {
    work();
    connection.exec('COMMIT');
  } catch (error) {
    rollBack(connection);
    throw error;
  }
}
