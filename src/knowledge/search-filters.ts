import picomatch from 'picomatch';
import { ZooError } from '../contract/errors.ts';
import type { SearchFilters } from '../contract/knowledge.ts';
import type { IndexConnection, IndexValue } from './index-connection.ts';
import type { ReaderScope, SourceKey } from './index-reader.ts';
import { meansSource } from './source-reference.ts';

/** A condition on rows of `document`; null where every document of the index passes. */
export interface DocumentFilter {
  sql: string | null;
  params: IndexValue[];
  /** False where nothing can pass, for no visible source is left. */
  possible: boolean;
}

/** What may be seen, and what was asked to be left out, as one condition that holds before the best are chosen. */
export function compileFilters(
  connection: IndexConnection,
  scope: ReaderScope,
  filters: SearchFilters = {},
): DocumentFilter {
  const { source, path, since, until, metadata } = filters;
  const known = connection.all('SELECT id, owner, type, name FROM source');
  const visible = new Set(
    scope.sources.filter((key) => source === undefined || meansSource(source, key)).map(keyOf),
  );
  const ids = known
    .filter(({ owner, type, name }) => visible.has(JSON.stringify([owner, type, name])))
    .map(({ id }) => Number(id));
  const conditions: string[] = [];
  const params: IndexValue[] = [];
  if (ids.length < known.length) conditions.push(`document.source IN (${ids.join(', ')})`);
  if (path !== undefined) {
    connection.define('path_passes', globTest(path));
    conditions.push('path_passes(document.path)');
  }
  if (since !== undefined) {
    conditions.push('document.updated_at >= ?');
    params.push(instantOf(since, 'since'));
  }
  if (until !== undefined) {
    const day = isDay(until);
    conditions.push(day ? 'substr(document.updated_at, 1, 10) <= ?' : 'document.updated_at <= ?');
    params.push(day ? until : instantOf(until, 'until'));
  }
  for (const [key, value] of Object.entries(metadata ?? {})) {
    // A list in the front matter passes if one of its entries does.
    conditions.push(
      `EXISTS (SELECT 1 FROM json_each(document.metadata, ?)
        WHERE CASE type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE CAST(value AS TEXT) END = ?)`,
    );
    params.push(`$."${key.replaceAll('"', '\\"')}"`, String(value));
  }
  return {
    sql: conditions.length === 0 ? null : conditions.join(' AND '),
    params,
    possible: ids.length > 0,
  };
}

const keyOf = ({ owner, type, name }: SourceKey): string => JSON.stringify([owner ?? '', type, name]);

/** A glob, or a folder, or a path itself. */
export function globTest(glob: string): (path: string) => boolean {
  const pattern = glob.replace(/^\.?\//, '').replace(/\/$/, '/**');
  try {
    const matches = picomatch(pattern, { dot: true, nocase: false });
    return (path) => matches(path) || path === pattern || path.startsWith(`${pattern}/`);
  } catch {
    return (path) => path === pattern;
  }
}

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);

function instantOf(text: string, name: string): string {
  const time = Date.parse(text);
  if (Number.isNaN(time)) {
    throw new ZooError(
      'invalid_arguments',
      `filters.${name}: ${JSON.stringify(text)} is not a date; write a day as 2026-01-31, or an instant as 2026-01-31T12:00:00Z`,
    );
  }
  return isDay(text) ? text : new Date(time).toISOString();
}
