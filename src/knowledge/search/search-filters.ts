import { ZooError } from '../../contract/errors.ts';
import { compileGlob } from '../../platform/files/glob.ts';
import type { SearchFilters } from '../../contract/knowledge.ts';
import type { IndexConnection, IndexValue } from '../index/index-connection.ts';
import type { IndexMemory } from '../index/index-memory.ts';
import type { ReaderScope, SourceKey } from '../index/index-reader.ts';
import { storedMetadata } from '../index/index-rows.ts';
import { meansSource, namedSources } from '../source-reference.ts';

/** A condition on rows of `document`; null where every document of the index passes. */
export interface DocumentFilter {
  sql: string | null;
  params: IndexValue[];
  /** False if no visible source is left. */
  possible: boolean;
}

/**
 * Visibility and filters as one condition, applied before the best results are chosen. Empty filters are
 * ignored, since models tend to fill in optional fields.
 */
export function compileFilters(
  connection: IndexConnection,
  scope: ReaderScope,
  filters: SearchFilters = {},
  memory: Pick<IndexMemory, 'sources'> = {},
  now: Date = new Date(),
): DocumentFilter {
  const { path, since, until, metadata } = filters;
  const named = namedSources(filters.source);
  const known = (memory.sources ??= connection.all('SELECT id, owner, type, name FROM source'));
  const visible = new Set(
    scope.sources
      .filter((key) => named.length === 0 || named.some((name) => meansSource(name, key)))
      .map(keyOf),
  );
  const ids = known
    .filter(({ owner, type, name }) => visible.has(JSON.stringify([owner, type, name])))
    .map(({ id }) => Number(id));
  const conditions: string[] = [];
  const params: IndexValue[] = [];
  if (ids.length < known.length) conditions.push(`document.source IN (${ids.join(', ')})`);
  if (since) {
    conditions.push('document.updated_at >= ?');
    params.push(dateOf(since, 'since', now));
  }
  if (until) {
    const last = dateOf(until, 'until', now);
    // Days, months and years include their ends.
    conditions.push(`substr(document.updated_at, 1, ${last.length}) <= ?`);
    params.push(last);
  }
  if (path) {
    connection.define('path_passes', pathTest(path));
    conditions.push('path_passes(document.path)');
  }
  const wanted = Object.entries(metadata ?? {});
  if (wanted.length > 0) {
    connection.define('metadata_passes', (text) => {
      const stored = storedMetadata(text);
      return wanted.every(([key, value]) => saysSo(valueAt(stored, key), value));
    });
    conditions.push('metadata_passes(document.metadata)');
  }
  return {
    sql: conditions.length === 0 ? null : conditions.join(' AND '),
    params,
    possible: ids.length > 0,
  };
}

/** `owner.name` is a key with a dot, or `name` within `owner`. */
function valueAt(metadata: Record<string, unknown>, key: string): unknown {
  if (Object.hasOwn(metadata, key)) return metadata[key];
  return key
    .split('.')
    .reduce<unknown>(
      (value, part) =>
        typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(part) : undefined,
      metadata,
    );
}

/** A list passes if one of its entries does. */
function saysSo(stored: unknown, wanted: string | number | boolean): boolean {
  if (Array.isArray(stored)) return stored.some((entry) => saysSo(entry, wanted));
  const plain = typeof stored === 'string' || typeof stored === 'number' || typeof stored === 'boolean';
  return plain && String(stored) === String(wanted);
}

const keyOf = ({ owner, type, name }: SourceKey): string => JSON.stringify([owner ?? '', type, name]);

/** A glob, or a folder, or a path itself. */
export function globTest(glob: string): (path: string) => boolean {
  const pattern = glob.replace(/^\.?\//, '').replace(/\/$/, '/**');
  try {
    const matches = compileGlob(pattern, { dot: true });
    return (path) => matches(path) || path === pattern || path.startsWith(`${pattern}/`);
  } catch {
    return (path) => path === pattern;
  }
}

/** As in the globs of a source, a pattern without a slash matches names at any depth. */
function pathTest(glob: string): (path: string) => boolean {
  const matches = globTest(glob);
  if (glob.includes('/')) return matches;
  const named = globTest(`**/${glob}`);
  return (path) => matches(path) || named(path);
}

const HOURS: Readonly<Record<string, number>> = { h: 1, d: 24, w: 24 * 7 };

/** Resolves `7d`, `24h`, `2w`, `today` and `yesterday`; other dates are checked. */
function dateOf(text: string, name: string, now: Date): string {
  const trimmed = text.trim().toLowerCase();
  const [, count, unit = ''] = /^(\d{1,5})\s*([hdw])$/.exec(trimmed) ?? [];
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString();
  if (count !== undefined) return hoursAgo(Number(count) * (HOURS[unit] ?? 0));
  if (trimmed === 'today') return hoursAgo(0).slice(0, 10);
  if (trimmed === 'yesterday') return hoursAgo(24).slice(0, 10);
  const written = text.trim();
  const instant = /^\d{4}(?:-\d\d){0,2}(?:(?<=-\d\d-\d\d)[T ]\d\d:\d\d\S*)?$/.test(written)
    ? Date.parse(written)
    : Number.NaN;
  // Date.parse reads February 30 as March 2.
  if (
    Number.isNaN(instant) ||
    (written.length <= 10 && !new Date(instant).toISOString().startsWith(written))
  ) {
    throw new ZooError(
      'invalid_arguments',
      `filters.${name}: ${JSON.stringify(text.slice(0, 40))} is not a date; write a day as 2026-01-31, a time as 2026-01-31T12:00:00Z, or an age as 24h, 7d or 2w`,
    );
  }
  return written.length <= 10 ? written : new Date(instant).toISOString();
}
