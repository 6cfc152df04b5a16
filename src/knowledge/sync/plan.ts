import { hashValue } from '../../platform/trust/content-hash.ts';
import type { ChunkSettings } from '../chunking/pack-section.ts';
import type { ScannedItem } from '../connector.ts';
import { type ContentKind, namedKind } from '../extraction/content-kind.ts';
import { EXTRACTION_VERSION } from '../extraction/extract-document.ts';
import type { ManifestEntry } from '../index/index-writer.ts';

/** Increase when the same text produces different chunks: all documents are then indexed again. */
const CHUNKING_VERSION = 5;

/** A hash of everything except an item's bytes that affects how it is stored. */
export function createSettingsHash(settings: ChunkSettings): (item: ScannedItem) => string {
  const byKind = new Map<ContentKind, string>();
  return ({ path, mimeType, title, url, metadata }) => {
    const kind = namedKind(path, mimeType);
    let hash = byKind.get(kind);
    if (hash === undefined) {
      hash = hashValue([EXTRACTION_VERSION, CHUNKING_VERSION, settings, kind]).slice(0, 16);
      byKind.set(kind, hash);
    }
    if (title === undefined && url === undefined && metadata === undefined && mimeType === undefined)
      return hash;
    return `${hash}-${hashValue([title, url, metadata, mimeType]).slice(0, 16)}`;
  };
}

/** Whether the index has a document for this entry. */
export const hasDocument = ({ contentHash, problem }: ManifestEntry) =>
  contentHash !== null && problem?.kind !== 'skipped';

/** Whether an item may have changed and has to be read. */
export function mustRead(
  item: Pick<ScannedItem, 'fingerprint'>,
  known: ManifestEntry | undefined,
  settingsHash: string,
  full: boolean,
): boolean {
  if (full || !known || known.problem?.kind === 'failed') return true;
  return (
    item.fingerprint === null || item.fingerprint !== known.fingerprint || settingsHash !== known.settingsHash
  );
}

/** The change of an item, once its content is known. */
export type Outcome =
  { kind: 'same' } | { kind: 'moved'; from: string } | { kind: 'added' } | { kind: 'changed' };

export function settle(
  content: { contentHash: string; settingsHash: string },
  known: ManifestEntry | undefined,
  vanished: Vanished,
): Outcome {
  if (known && hasDocument(known))
    return { kind: known.contentHash === content.contentHash ? 'same' : 'changed' };
  const from = vanished.take(content.contentHash, content.settingsHash);
  return from === null ? { kind: 'added' } : { kind: 'moved', from };
}

/** Documents that the scan did not yield, by content. */
export interface Vanished {
  /** The path of a document with this content and settings, each only once; null if there is none. */
  take(contentHash: string, settingsHash: string): string | null;
}

export function createVanished(entries: Iterable<ManifestEntry>): Vanished {
  const byContent = new Map<string, string[]>();
  for (const entry of entries) {
    if (!hasDocument(entry) || entry.problem || entry.contentHash === null) continue;
    const key = `${entry.contentHash} ${entry.settingsHash}`;
    const paths = byContent.get(key);
    if (paths) paths.push(entry.path);
    else byContent.set(key, [entry.path]);
  }
  return { take: (content, settings) => byContent.get(`${content} ${settings}`)?.shift() ?? null };
}

/** Whether a path is, or lies in, one of the places that could not be checked; folders end with `/`. */
export function isUnseen(path: string, places: ReadonlySet<string>): boolean {
  if (places.has(path)) return true;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    if (places.has(path.slice(0, at + 1))) return true;
  }
  return false;
}
