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
  /** The entry with its variables by name, to tell what in it is a secret. */
  written?: Readonly<Record<string, unknown>>;
  /** Why nothing may be sent or run: a variable that is not set. */
  unset?: string | null;
  /** It may be read as long as it lies within `folder`: nobody approved more. */
  confined?: boolean;
  /** Of a script: the files that it may be made of, and the hashes of what they held when they were approved. */
  approved?: Readonly<Record<string, string>> | undefined;
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
  /** ISO 8601, or milliseconds since 1970. */
  updatedAt?: string | number;
  metadata?: Record<string, unknown>;
  /** May be called more than once. Rejects with what is wrong with this one item; the others go on. */
  read(signal: AbortSignal): Promise<Uint8Array | string>;
}

/** What a script's connector hands over; whatever of it is missing or wrong is the item's own error. */
export interface ScriptItem {
  /** Names it within its source; `path` where there is one. */
  id?: unknown;
  path?: unknown;
  title?: unknown;
  /** Its text: Markdown unless `mime_type` says otherwise. */
  body?: unknown;
  content?: unknown;
  url?: unknown;
  updated_at?: unknown;
  metadata?: unknown;
  mime_type?: unknown;
}

/**
 * Runs the script of a source and emits what it finds, one after the other: each waits until the sync has room for
 * more. It runs where the hub is, the sync in a thread of its own: what passes between them are messages with plain
 * values. Ends with what the next run is given as `checkpoint`; `partial` says that it left out what it told before.
 */
export type RunScript = (
  source: ConfiguredSource,
  checkpoint: unknown,
  emit: (item: ScriptItem) => Promise<void>,
  signal: AbortSignal,
) => Promise<ScanEnd>;

export interface ScanEnd {
  checkpoint?: unknown;
  /** Not everything there is was yielded: what is missing stays as it is. */
  partial?: boolean;
}

export interface ScanContext {
  signal: AbortSignal;
  /** Where the connector may keep what it fetches (a clone, a cache); it is its own and outlives the sync. */
  cache: string;
  /** What this connector returned as `checkpoint` last time it came to its end; null the first time, and with `full`. */
  checkpoint: unknown;
  /** Null where there is nothing to run scripts with. */
  runScript: RunScript | null;
  /** Something the person should know, which is not the end of the scan. */
  problem(path: string | null, reason: string): void;
  /** Something was seen and left out on purpose (a binary, too large). */
  skip(path: string, reason: string): void;
  /**
   * An item, or everything below a folder that ends with `/`, could not be looked at this time. Its documents stay
   * as they are, and it counts as failed.
   */
  unseen(path: string, reason: string): void;
  /** Called when nothing more will be read of what the scan yielded. */
  onEnd(work: () => void): void;
}

/**
 * Where documents come from. A new one is a file in `connectors/` and a line in its index.
 * `scan` yields everything there is now: what the manifest has and the scan did not yield is deleted, so a scan that
 * cannot see everything must say what it did not see, or throw rather than end early.
 */
export interface Connector {
  type: ConnectorType;
  /** Its items hold their content: each is read as it comes, and not when all have been counted. */
  streams?: boolean;
  /** One item at a time, or several where they are found together: each step takes its time. */
  scan(
    source: ConfiguredSource,
    context: ScanContext,
  ): AsyncGenerator<ScannedItem | readonly ScannedItem[], ScanEnd | void>;
  /** Where it reads from, for people, without secrets. */
  location(source: ConfiguredSource): string;
  /** What to watch for changes; missing where it cannot be watched. `ignores` spares the watcher what no scan yields. */
  watch?(source: ConfiguredSource): { folder: string; follow: boolean; ignores(path: string): boolean };
}
