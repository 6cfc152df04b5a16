import type { ConfiguredSource } from '../connector.ts';
import type { Chunk, ExtractedDocument } from '../document.ts';

/** The state of one item at the last sync of its source. */
export interface ManifestEntry {
  path: string;
  fingerprint: string | null;
  /** A hash of the item's bytes; null before its first document. */
  contentHash: string | null;
  /** A hash of everything else that affects the document: chunking, extractor version, title, url, metadata. */
  settingsHash: string | null;
  bytes: number;
  /** Why the item has no document: it failed (and is retried), or was skipped by design. */
  problem: { kind: 'failed' | 'skipped'; reason: string; since: string } | null;
}

export interface NewDocument extends ExtractedDocument {
  url: string | null;
  updatedAt: string | null;
}

/**
 * The writing side of the index, for the sync thread. Everything is synchronous. Each call is one durable transaction;
 * `batch` combines several.
 */
export interface IndexWriter {
  /** The number of a source; created if it is new. */
  openSource(source: Pick<ConfiguredSource, 'owner' | 'type' | 'name'>, location: string): number;
  /** The number of a source; null if it was never synced. */
  findSource(source: Pick<ConfiguredSource, 'owner' | 'type' | 'name'>): number | null;
  manifest(source: number): IterableIterator<ManifestEntry>;
  /**
   * Replaces the document at this path. Chunks with unchanged text and headings keep their vectors, also across
   * documents.
   */
  put(source: number, entry: ManifestEntry, document: NewDocument, chunks: readonly Chunk[]): void;
  /** Updates the manifest entry of unchanged content. */
  touch(source: number, entry: ManifestEntry): void;
  /** Moves a document to another path. */
  move(
    source: number,
    from: string,
    entry: ManifestEntry,
    document: Pick<NewDocument, 'url' | 'updatedAt' | 'title'>,
  ): void;
  /** Keeps the existing document, if any, and records why it could not be updated. */
  problem(source: number, entry: ManifestEntry): void;
  remove(source: number, path: string): void;
  batch<T>(work: () => T): T;
  /** Ends a sync of this source. */
  finish(
    source: number,
    result: { at: string; error: string | null; checkpoint: unknown; skipped: number },
  ): void;
  checkpoint(source: number): unknown;
  /** Drops a source and all its documents. */
  removeSource(source: number): void;
  close(): void;
}
