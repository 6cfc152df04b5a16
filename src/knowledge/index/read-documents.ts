import { ZooError } from '../../contract/errors.ts';
import type { DocumentRequest, DocumentView } from '../../contract/knowledge.ts';
import { type IndexConnection, type IndexRow, textOrNull } from './index-connection.ts';
import type { DocumentListing, ReaderScope } from './index-reader.ts';
import { storedHeadings, storedMetadata } from './index-rows.ts';
import { documentsWhere, findDocument, withoutAddress } from './find-document.ts';
import { globTest } from '../search/search-filters.ts';

/** More documents would not fit into a prompt. */
const MOST_MATCHES = 200;

export function getDocument(
  connection: IndexConnection,
  request: DocumentRequest,
  scope: ReaderScope,
): DocumentView {
  const { row, ordinal } = findDocument(connection, request.id, scope);
  if (ordinal !== null) return chunkView(connection, row, ordinal, request.neighbours ?? 0);
  const { line_start, line_end } = request;
  if (line_start === undefined && line_end === undefined) return wholeView(connection, row);
  const [from, to] = [line_start ?? 1, Math.min(line_end ?? Number(row.lines), Number(row.lines))];
  if (from > to) {
    throw new ZooError(
      'invalid_arguments',
      line_end !== undefined && line_end < from
        ? `lines ${from} to ${line_end}: the end is before the start`
        : `lines ${from} to ${line_end ?? 'the end'}: the document ${String(row.name)} has ${String(row.lines)} lines`,
    );
  }
  return linesView(connection, row, from, to);
}

/** The documents behind a path, a glob, a URL or an id, in order of path. */
export function matchDocuments(
  connection: IndexConnection,
  reference: string,
  scope: ReaderScope,
): DocumentView[] {
  const name = withoutAddress(reference);
  const bare = reference.replace(/#.*$/, '').replace(/\/$/, '');
  const path = reference.replace(/^\.?\//, '');
  const attempts: [condition: string, params: string[]][] = [
    ['document.name = ?', [name]],
    ['document.url IN (?, ?, ?)', [reference, bare, `${bare}/`]],
    ['document.path = ?', [path]],
  ];
  for (const [condition, params] of attempts) {
    const rows = documentsWhere(connection, scope, condition, params, MOST_MATCHES);
    if (rows.length > 0) return rows.map((row) => wholeView(connection, row));
  }
  connection.define('path_matches', globTest(path));
  const globbed = documentsWhere(connection, scope, 'path_matches(document.path)', [], MOST_MATCHES);
  // A path relative to the workspace starts with the root folder of its source.
  const rows =
    globbed.length > 0
      ? globbed
      : documentsWhere(
          connection,
          scope,
          "substr(?, -length(document.path) - 1) = '/' || document.path",
          [path],
          MOST_MATCHES,
        );
  return rows.map((row) => wholeView(connection, row));
}

export function listDocuments(
  connection: IndexConnection,
  scope: ReaderScope,
  page: { after: string | null; limit: number },
): DocumentListing[] {
  return documentsWhere(
    connection,
    scope,
    'document.name > ?',
    [page.after ?? ''],
    page.limit,
    'document.name',
  ).map((row) => ({
    id: String(row.name),
    title: String(row.title),
    path: String(row.path),
    mime_type: String(row.mime_type),
    source: sourceOf(row),
  }));
}

function wholeView(connection: IndexConnection, row: IndexRow): DocumentView {
  return view(connection, row, textOf(connection, row), 1, Number(row.lines));
}

function linesView(connection: IndexConnection, row: IndexRow, from: number, to: number): DocumentView {
  return view(connection, row, linesOf(textOf(connection, row), from, to), from, to);
}

function chunkView(
  connection: IndexConnection,
  row: IndexRow,
  ordinal: number,
  neighbours: number,
): DocumentView {
  const rows = connection.all(
    'SELECT ordinal, line_start, line_end, body FROM chunk WHERE document = ? AND ordinal BETWEEN ? AND ? ORDER BY ordinal',
    Number(row.id),
    ordinal - neighbours,
    ordinal + neighbours,
  );
  if (!rows.some((chunk) => Number(chunk.ordinal) === ordinal)) {
    throw new ZooError(
      'document_not_found',
      `the document ${String(row.name)} has no chunk ${ordinal}: it has ${String(row.chunks)}, counted from 0`,
    );
  }
  const from = Math.min(...rows.map((chunk) => Number(chunk.line_start)));
  const to = Math.max(...rows.map((chunk) => Number(chunk.line_end)));
  const bodies = rows.map((chunk) => String(chunk.body)).join('\n');
  const among = [rows[0], rows.at(-1)].map((chunk) => Number(chunk?.ordinal));
  if (rows.length === 1) return view(connection, row, bodies, from, to, among);
  // Chunks overlap, so lines are read from the document, unless one long line holds many chunks.
  const lines = linesOf(textOf(connection, row), from, to);
  return view(connection, row, lines.length > bodies.length * 2 ? bodies : lines, from, to, among);
}

function view(
  connection: IndexConnection,
  row: IndexRow,
  body: string,
  from: number,
  to: number,
  [first = 0, last = Number(row.chunks)]: readonly number[] = [],
): DocumentView {
  const size = Number(
    connection.one('SELECT length(text) AS size FROM document_text WHERE document = ?', Number(row.id))
      ?.size ?? 0,
  );
  const chunks = connection.all(
    'SELECT ordinal, headings, line_start, line_end FROM chunk WHERE document = ? AND line_end >= ? AND line_start <= ? AND ordinal BETWEEN ? AND ? ORDER BY ordinal',
    Number(row.id),
    from,
    to,
    first,
    last,
  );
  return {
    id: String(row.name),
    title: String(row.title),
    source: sourceOf(row),
    path: String(row.path),
    url: textOrNull(row.url),
    mime_type: String(row.mime_type),
    updated_at: textOrNull(row.updated_at),
    metadata: storedMetadata(row.metadata),
    body,
    line_start: from,
    line_end: to,
    lines: Number(row.lines),
    tokens:
      size === 0 ? 0 : Math.min(Number(row.tokens), Math.ceil((Number(row.tokens) * body.length) / size)),
    chunks: chunks.map((chunk) => ({
      id: `${String(row.name)}#${String(chunk.ordinal)}`,
      headings: storedHeadings(chunk.headings),
      lineStart: Number(chunk.line_start),
      lineEnd: Number(chunk.line_end),
    })),
  };
}

const sourceOf = (row: IndexRow): string => `${String(row.type)}:${String(row.source_name)}`;

const textOf = (connection: IndexConnection, row: IndexRow): string =>
  String(connection.one('SELECT text FROM document_text WHERE document = ?', Number(row.id))?.text ?? '');

/** Does not split the whole text: a document may have a million lines. */
function linesOf(text: string, from: number, to: number): string {
  let start = 0;
  for (let line = 1; line < from; line++) start = text.indexOf('\n', start) + 1;
  let end = start;
  for (let line = from; line <= to; line++) {
    const next = text.indexOf('\n', end);
    if (next < 0) return text.slice(start);
    end = next + 1;
  }
  return text.slice(start, end).replace(/\n$/, '');
}
