import { ZooError } from '../../contract/errors.ts';
import { nearest } from '../../contract/nearest.ts';
import type { IndexConnection, IndexRow } from './index-connection.ts';
import type { ReaderScope } from './index-reader.ts';
import { compileFilters } from '../search/search-filters.ts';

const COMPLETIONS = 100;
const SUGGESTED = 3;
const ADDRESS = 'agent-zoo://documents/';
/** Longer references are cut in messages. */
const SHOWN = 120;

/** The id in a document's address; anything else is returned as it is. */
export function withoutAddress(reference: string): string {
  if (!reference.startsWith(ADDRESS)) return reference;
  const id = reference.slice(ADDRESS.length);
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** One document by id, address, path or URL, and the chunk if one is named. Throws `document_not_found` with suggestions. */
export function findDocument(
  connection: IndexConnection,
  reference: string,
  scope: ReaderScope,
): { row: IndexRow; ordinal: number | null } {
  const wanted = withoutAddress(reference);
  const [, name = wanted, number] = /^(.*)#(\d{1,9})$/.exec(wanted) ?? [];
  const ordinal = number === undefined ? null : Number(number);
  const [named] = documentsWhere(connection, scope, 'document.name = ?', [name], 1);
  if (named) return { row: named, ordinal };
  const whole = byPlace(connection, wanted, scope);
  if (whole) return { row: whole, ordinal: null };
  const row = ordinal === null ? null : byPlace(connection, name, scope);
  return row ? { row, ordinal } : refuse(connection, name, scope);
}

/** Finds a document by URL or path (with or without its source), if exactly one matches. */
function byPlace(connection: IndexConnection, place: string, scope: ReaderScope): IndexRow | null {
  const path = place.replace(/^\.?\//, '');
  const rows = documentsWhere(
    connection,
    scope,
    `(document.path = ? OR document.url = ? OR source.name || '/' || document.path = ?
      OR source.type || ':' || source.name || '/' || document.path = ?)`,
    [path, place, path, path],
    SUGGESTED + 1,
  );
  if (rows.length < 2) return rows[0] ?? null;
  const listed = rows.slice(0, SUGGESTED).map(described).join(', ');
  throw new ZooError(
    'invalid_arguments',
    `${shown(place)} matches more than one document: ${listed}${rows.length > SUGGESTED ? ' …' : ''}. Use the id of one of them.`,
    { nearest: rows.slice(0, SUGGESTED).map((row) => String(row.name)) },
  );
}

function refuse(connection: IndexConnection, name: string, scope: ReaderScope): never {
  const last = name.split('/').at(-1) ?? '';
  const similar = new Map(
    [name, last, last.replace(/\.[^.]*$/, ''), last.slice(0, 4), name.slice(0, 4)]
      .filter((part) => part.length > 1 && part.length <= SHOWN)
      .flatMap((part) => completeDocuments(connection, part, scope))
      .map((one) => [one.id, one]),
  );
  const names = new Map(
    [...similar.values()].flatMap((one) =>
      [one.id, one.path, one.path.split('/').at(-1) ?? ''].map((key) => [key, one]),
    ),
  );
  const best = names.get(nearest(last.length <= SHOWN ? last : '', names.keys()) ?? '');
  const listed = [...new Set([...(best ? [best] : []), ...similar.values()])].slice(0, SUGGESTED);
  const hint =
    listed.length > 0
      ? `; did you mean ${listed.map(({ id, source, path }) => `${source}/${path} (${id})`).join(', ')}?`
      : '';
  throw new ZooError('document_not_found', `document ${shown(name)} not found${hint}`, {
    nearest: listed.map(({ id }) => id),
  });
}

const shown = (text: string): string =>
  JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

const described = (row: IndexRow): string =>
  `${String(row.name)} (${String(row.type)}:${String(row.source_name)} ${String(row.path)})`;

export function completeDocuments(
  connection: IndexConnection,
  typed: string,
  scope: ReaderScope,
): { id: string; title: string; source: string; path: string }[] {
  const pattern = typed.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);
  const rows = documentsWhere(
    connection,
    scope,
    String.raw`(document.name LIKE ? ESCAPE '\' OR document.title LIKE ? ESCAPE '\' OR document.path LIKE ? ESCAPE '\')`,
    [`${pattern}%`, `%${pattern}%`, `%${pattern}%`],
    COMPLETIONS * 10,
  );
  const lower = typed.toLowerCase();
  const begins = (row: IndexRow) =>
    [row.name, row.title, row.path].some((value) => String(value).toLowerCase().startsWith(lower)) ? 0 : 1;
  return rows
    .toSorted((a, b) => begins(a) - begins(b))
    .slice(0, COMPLETIONS)
    .map(({ name, title, source_name: source, path }) => ({
      id: String(name),
      title: String(title),
      source: String(source),
      path: String(path),
    }));
}

export function documentsWhere(
  connection: IndexConnection,
  scope: ReaderScope,
  condition: string,
  params: readonly string[],
  limit: number,
  order = 'document.path, document.name',
): IndexRow[] {
  const visible = compileFilters(connection, scope);
  if (!visible.possible) return [];
  return connection.all(
    `SELECT document.*, source.type, source.name AS source_name FROM document JOIN source ON source.id = document.source
     WHERE ${condition}${visible.sql === null ? '' : ` AND ${visible.sql}`} ORDER BY ${order} LIMIT ?`,
    ...params,
    ...visible.params,
    limit,
  );
}
