import type { ConfiguredSource } from '../connector.ts';
import type { Chunk, ExtractedDocument } from '../document.ts';

/** What was there when a source was last looked at, by path. */
export interface ManifestEntry {
  path: string;
  fingerprint: string | null;
  /** Of the bytes that the document was made of, or that were left out; null while there never was a document. */
  contentHash: string | null;
  /** Of everything else that decides what is stored: chunking, the version of the extractor, title, url, metadata. */
  settingsHash: string | null;
  bytes: number;
  /** Why there is no document though there is an item: it failed (and is tried again), or was left out on purpose. */
  problem: { kind: 'failed' | 'skipped'; reason: string; since: string } | null;
}

export interface NewDocument extends ExtractedDocument {
  url: string | null;
  updatedAt: string | null;
}

/**
 * The writing side of the index, for the one thread that syncs. Everything is synchronous and each call is one
 * durable transaction, unless it is inside `batch`, which makes one of all of them.
 */
export interface IndexWriter {
  /** The number of a source, made when it is new. */
  openSource(source: Pick<ConfiguredSource, 'owner' | 'type' | 'name'>, location: string): number;
  /** Its number; null for one that was never synced. */
  findSource(source: Pick<ConfiguredSource, 'owner' | 'type' | 'name'>): number | null;
  manifest(source: number): IterableIterator<ManifestEntry>;
  /**
   * Puts the document at this path in place of what was there. Chunks whose text and headings have not changed keep
   * their vectors, whichever document they were in.
   */
  put(source: number, entry: ManifestEntry, document: NewDocument, chunks: readonly Chunk[]): void;
  /** The content is the same, and only what the manifest knows of it has changed. */
  touch(source: number, entry: ManifestEntry): void;
  /** The same document under another path. */
  move(
    source: number,
    from: string,
    entry: ManifestEntry,
    document: Pick<NewDocument, 'url' | 'updatedAt' | 'title'>,
  ): void;
  /** Keeps the document that is there, if any, and the reason why there is no newer one. */
  problem(source: number, entry: ManifestEntry): void;
  remove(source: number, path: string): void;
  batch<T>(work: () => T): T;
  /** The end of a sync of this source. */
  finish(
    source: number,
    result: { at: string; error: string | null; checkpoint: unknown; skipped: number },
  ): void;
  checkpoint(source: number): unknown;
  /** Drops a source and all its documents. */
  removeSource(source: number): void;
  close(): void;
}
