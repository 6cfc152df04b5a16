import { type IndexConnection, type IndexRow, textOrNull } from './index-connection.ts';
import type { ManifestEntry } from './index-writer.ts';

const PAGE = 5_000;
const BETWEEN_ROWS = '\u001e';
const BETWEEN_FIELDS = '\u001f';
const NOTHING = '\u0018';

const columns = 'path, fingerprint, content_hash, settings_hash, bytes, problem, reason, since';
// The problem comes last: most entries have none, and omit its fields.
const fields = `path || char(31) || coalesce(fingerprint, char(24)) || char(31) || coalesce(content_hash, char(24))
  || char(31) || coalesce(settings_hash, char(24)) || char(31) || bytes
  || coalesce(char(31) || problem || char(31) || reason || char(31) || since, '')`;
const page = 'FROM item WHERE source = ? AND path > ? ORDER BY path LIMIT ?';
const packed = `SELECT group_concat(entry, char(30)) AS entries, count(*) AS count, max(path) AS last
  FROM (SELECT path, ${fields} AS entry ${page})`;

/**
 * Every entry of a source. A page is read as one string, since an object per row would take most of the time of a sync
 * without changes. In pages, because the sync writes while it iterates.
 */
export function* readManifest(connection: IndexConnection, source: number): Generator<ManifestEntry> {
  let after = '';
  for (;;) {
    const row = connection.one(packed, source, after, PAGE);
    const count = Number(row?.count ?? 0);
    if (!row || count === 0) return;
    const entries = String(row.entries)
      .split(BETWEEN_ROWS)
      .map((entry) => entry.split(BETWEEN_FIELDS));
    // A name may contain the separator characters.
    const sound = entries.length === count && entries.every(isSound);
    if (sound) for (const entry of entries) yield unpack(entry);
    else
      for (const each of connection.all(`SELECT ${columns} ${page}`, source, after, PAGE))
        yield entryOf(each);
    if (count < PAGE) return;
    after = String(row.last);
  }
}

const isSound = ({ length, 5: problem = '' }: readonly string[]) =>
  length === 5 || (length === 8 && /^(?:failed|skipped)$/.test(problem));

function unpack(fields: readonly string[]): ManifestEntry {
  const [path = '', fingerprint, contentHash, settingsHash, bytes, problem, reason, since] = fields;
  return {
    path,
    fingerprint: orNull(fingerprint),
    contentHash: orNull(contentHash),
    settingsHash: orNull(settingsHash),
    bytes: Number(bytes),
    problem: problem === undefined ? null : problemOf(problem, reason ?? null, since ?? null),
  };
}

const orNull = (field: string | undefined) => (field === undefined || field === NOTHING ? null : field);

function problemOf(
  kind: string | null,
  reason: string | null,
  since: string | null,
): ManifestEntry['problem'] {
  return kind === 'failed' || kind === 'skipped' ? { kind, reason: reason ?? '', since: since ?? '' } : null;
}

function entryOf(row: IndexRow): ManifestEntry {
  const { path, fingerprint, content_hash, settings_hash, bytes, problem, reason, since } = row;
  return {
    path: String(path),
    fingerprint: textOrNull(fingerprint),
    contentHash: textOrNull(content_hash),
    settingsHash: textOrNull(settings_hash),
    bytes: Number(bytes),
    problem: problemOf(textOrNull(problem), textOrNull(reason), textOrNull(since)),
  };
}
