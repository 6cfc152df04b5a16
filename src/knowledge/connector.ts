import type { ConnectorType } from '../contract/knowledge.ts';

/** A source from a config file, with its variables filled in. */
export interface ConfiguredSource {
  /** The workspace whose config defines it; null for the user's own config. */
  owner: string | null;
  type: ConnectorType;
  name: string;
  /** Relative paths start here. */
  folder: string;
  /** The entry under `[connectors.TYPE.NAME]`; may hold secrets. */
  config: Readonly<Record<string, unknown>>;
  /** The entry as written, `${VAR}` unexpanded: shows which values are secrets. */
  written?: Readonly<Record<string, unknown>>;
  /** Why the source cannot be used: a variable that is not set. */
  unset?: string | null;
  /** Only content within `folder` was approved, so nothing else may be read. */
  confined?: boolean;
  /** For scripts: the approved files and their hashes at that time. */
  approved?: Readonly<Record<string, string>> | undefined;
}

/** An item that currently exists in a source. */
export interface ScannedItem {
  /** Identifies the item within its source, with `/` between folders; the key of the manifest. */
  path: string;
  /**
   * Changes whenever the content may have changed, and is cheap to get: size and times of a file, a blob id, an ETag.
   * An item without one (null) is read in every sync.
   */
  fingerprint: string | null;
  /** For the progress bar; null if not known in advance. */
  bytes: number | null;
  title?: string;
  url?: string;
  mimeType?: string;
  /** ISO 8601, or milliseconds since 1970. */
  updatedAt?: string | number;
  metadata?: Record<string, unknown>;
  /** May be called more than once. Rejects with the reason why this item cannot be read; other items continue. */
  read(signal: AbortSignal): Promise<Uint8Array | string>;
}

/** An item that a connector script emits. A missing or invalid field is an error of this item only. */
export interface ScriptItem {
  /** Identifies the item within its source; `path` takes precedence. */
  id?: unknown;
  path?: unknown;
  title?: unknown;
  /** The text: Markdown unless `mime_type` says otherwise. */
  body?: unknown;
  content?: unknown;
  url?: unknown;
  updated_at?: unknown;
  metadata?: unknown;
  mime_type?: unknown;
}

/**
 * Runs the script of a source and emits its items one by one: each waits until the sync has room for more. The script
 * runs in the hub and the sync in a worker thread, so only plain values pass between them. Resolves to what the next
 * run gets as `checkpoint`; `partial` means that items emitted before were left out.
 */
export type RunScript = (
  source: ConfiguredSource,
  checkpoint: unknown,
  emit: (item: ScriptItem) => Promise<void>,
  signal: AbortSignal,
) => Promise<ScanEnd>;

export interface ScanEnd {
  checkpoint?: unknown;
  /** The scan was incomplete: items that it did not yield are kept. */
  partial?: boolean;
}

export interface ScanContext {
  signal: AbortSignal;
  /** A private folder for fetched data (a clone, a cache) that persists between syncs. */
  cache: string;
  /** The `checkpoint` of the last completed scan; null the first time, and with `full`. */
  checkpoint: unknown;
  /** Null where scripts cannot run. */
  runScript: RunScript | null;
  /** Reports something to the user without ending the scan. */
  problem(path: string | null, reason: string): void;
  /** An item is skipped by design (binary, too large). */
  skip(path: string, reason: string): void;
  /**
   * An item, or everything below a folder that ends with `/`, could not be checked this time. Its documents are kept,
   * and it counts as failed.
   */
  unseen(path: string, reason: string): void;
  /** Registers a cleanup for when no more yielded items will be read. */
  onEnd(work: () => void): void;
}

export interface WatchedFolder {
  folder: string;
  follow: boolean;
  /** Lets the watcher ignore paths that no scan yields. */
  ignores(path: string): boolean;
}

/**
 * Where documents come from. A new one is a file in `connectors/` and a line in its index.
 * `scan` yields everything that exists now. Whatever the manifest has and the scan did not yield is deleted, so a scan
 * that cannot see everything must report what it did not see, or throw rather than end early.
 */
export interface Connector {
  type: ConnectorType;
  /** Items carry their content: each is processed as it arrives rather than after all have been counted. */
  streams?: boolean;
  /** Yields single items, or several that were found together, since each step has a cost. */
  scan(
    source: ConfiguredSource,
    context: ScanContext,
  ): AsyncGenerator<ScannedItem | readonly ScannedItem[], ScanEnd | void>;
  /** Where it reads from, for display, without secrets. */
  location(source: ConfiguredSource): string;
  /** Missing for connectors that cannot be watched. */
  watch?(source: ConfiguredSource): WatchedFolder;
}
