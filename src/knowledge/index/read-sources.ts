import { type IndexConnection, textOrNull } from './index-connection.ts';
import type { IndexedSource } from './index-reader.ts';
import { connectorType } from './index-rows.ts';

/** Limits the list: a broken folder may have thousands of failures, and the first ones show the cause. */
const SHOWN_FAILURES = 100;

/** The process was killed, or the disk was full, before the end of the sync was stored. */
const NO_END = 'its first sync was interrupted; run `zoo sync` to continue';

export function readSources(connection: IndexConnection): IndexedSource[] {
  return connection
    .all(
      `SELECT source.*, count(document.id) AS documents, coalesce(sum(document.chunks), 0) AS chunks,
        coalesce(sum(document.bytes), 0) AS bytes, coalesce(sum(document.tokens), 0) AS tokens
       FROM source LEFT JOIN document ON document.source = source.id GROUP BY source.id ORDER BY source.type, source.name`,
    )
    .map((row) => ({
      owner: textOrNull(row.owner) || null,
      type: connectorType(row.type),
      name: String(row.name),
      location: String(row.location),
      documents: Number(row.documents),
      chunks: Number(row.chunks),
      bytes: Number(row.bytes),
      tokens: Number(row.tokens),
      skipped: Number(row.skipped),
      failed: connection
        .all(
          "SELECT path, reason, since FROM item WHERE source = ? AND problem = 'failed' ORDER BY path LIMIT ?",
          Number(row.id),
          SHOWN_FAILURES,
        )
        .map(({ path, reason, since }) => ({
          path: String(path),
          reason: String(reason),
          since: String(since),
        })),
      last_sync: textOrNull(row.last_sync),
      last_error:
        textOrNull(row.last_error) ?? (row.last_sync === null && Number(row.documents) > 0 ? NO_END : null),
    }));
}
