import type { ConnectorType } from '../contract/knowledge.ts';

/** A source as a config has it, variables filled in. */
export interface ConfiguredSource {
  /** The workspace whose config has it; null for the user's own. */
  owner: string | null;
  type: ConnectorType;
  name: string;
  /** What relative paths start from. */
  folder: string;
  /** The entry under `[connectors.TYPE.NAME]`, which may hold secrets. */
  config: Readonly<Record<string, unknown>>;
}

/** One thing that a source has at the moment. */
export interface ScannedItem {
  /** Names it within its source, with `/` between folders; the manifest is kept by it. */
  path: string;
  /**
   * Changes whenever the content may have, and is cheap to get: size and times of a file, a blob's id, an ETag.
   * Null when there is nothing of the kind: it is then read every time.
   */
  fingerprint: string | null;
  /** For the progress bar; null when not known beforehand. */
  bytes: number | null;
  title?: string;
  url?: string;
  mimeType?: string;
  updatedAt?: string;
  metadata?: Record<string, unknown>;
  /** Rejects with what is wrong with this one item. A fingerprint that no longer fits is the item's own error. */
  read(signal: AbortSignal): Promise<Uint8Array | string>;
}

export interface ScanContext {
  signal: AbortSignal;
  /** Where the connector may keep what it fetches (a clone, a cache); it is its own and outlives the sync. */
  cache: string;
  /** What this connector returned as `checkpoint` last time it came to its end; null the first time. */
  checkpoint: unknown;
  /** Something the person should know, which is not the end of the scan. */
  problem(path: string | null, reason: string): void;
  /** Something was seen and left out on purpose (a binary, too large). */
  skip(path: string, reason: string): void;
}

/**
 * Where documents come from. A new one is a file in `connectors/` and a line in its index.
 * `scan` yields everything there is now: what the manifest has and the scan did not yield is deleted, so a scan that
 * cannot see everything must throw rather than end early.
 */
export interface Connector {
  type: ConnectorType;
  scan(
    source: ConfiguredSource,
    context: ScanContext,
  ): AsyncGenerator<ScannedItem, { checkpoint?: unknown } | void>;
  /** Where it reads from, for people, without secrets. */
  location(source: ConfiguredSource): string;
  /** Files and folders to watch for changes; null when it cannot be watched. */
  watch?(source: ConfiguredSource): { folders: string[] } | null;
}
