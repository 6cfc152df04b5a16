import type { DocumentView, KnowledgeSource, SearchAnswer, SearchQuery } from '../contract/knowledge.ts';

/** A script is untrusted and gets nothing beyond what is declared here. */
export type ScriptKind = 'agent' | 'tool' | 'connector';

export interface ScriptFile {
  kind: ScriptKind;
  /**
   * Absolute. Its folder is all that `require` and `fs` can see; names that begin with a dot are hidden from both.
   */
  path: string;
  /** The trusted folder. A script directly in it can require files beside it, but not in subfolders. */
  root: string;
  /**
   * The approved files (real paths) with the hashes of their content: other code fails as `untrusted`. Undefined if
   * no approval is needed.
   */
  approved?: Readonly<Record<string, string>> | undefined;
  limits: ScriptLimits;
  grants: ScriptGrants;
  /** The last valid contents of these files (absolute paths). Calls run these instead of the files on disk. */
  texts?: Readonly<Record<string, string>>;
}

export interface ScriptLimits {
  /** Wall time of one call, without waiting for a free thread. */
  timeoutMs: number;
  memoryBytes: number;
  /** Limit for the result, the log and each emitted item, as JSON. */
  outputBytes: number;
  hostCalls: number;
}

const MiB = 1024 * 1024;
export const DEFAULT_LIMITS: Readonly<ScriptLimits> = {
  timeoutMs: 30_000,
  memoryBytes: 64 * MiB,
  outputBytes: 8 * MiB,
  hostCalls: 1_000,
};

export interface ScriptGrants {
  /**
   * Hosts that `http` may reach: `api.example.com`, `*.example.com`, `localhost:8080`. A name that resolves to a
   * private address needs that address (`10.1.2.3`) or its network (`10.0.0.0/8`) granted as well.
   */
  hosts: readonly string[];
  /** Variables that `env.get` may read, with their values. */
  env: Readonly<Record<string, string>>;
  /** Values of `${VAR}` references in its config: masked in logs and messages, like those of `env`. */
  secrets?: readonly string[];
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The hub's functions for one call. Rejections become errors that the script can catch. */
export interface ScriptHost {
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchAnswer['results']>;
  get(id: string, signal: AbortSignal): Promise<DocumentView>;
  sources(signal: AbortSignal): Promise<KnowledgeSource[]>;
  /** Takes an item of a connector; resolves when it was processed. */
  emit?(item: Json): Promise<void>;
}

export interface ScriptLog {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  /** Since the start of the call. */
  atMs: number;
}

export interface ScriptResult {
  value: Json;
  logs: ScriptLog[];
  /** How often each host function was called (`context.search`, `http.get`) and how long they took together. */
  hostCalls: Record<string, { count: number; ms: number }>;
  tookMs: number;
}

export interface ScriptCall {
  /** `resolve`, `execute` or `scan`: the function of the script's table. */
  function: string;
  /** `context` (`search`, `get`, `sources`, `config`) is added as the last argument. */
  args: readonly Json[];
  /** The script's `context.config`. */
  config?: Json;
  host: ScriptHost;
  signal: AbortSignal;
  /** Called for each log line; the only way to see the log of a failed call. */
  onLog?(log: ScriptLog): void;
}

export interface ScriptDescription {
  /** The table that it returns, or leaves as a global. An empty Lua table is `[]`: Lua cannot tell it from `{}`. */
  table: { [key: string]: Json };
  /** The names of the table's functions, which `table` leaves out. */
  functions: string[];
  /** The absolute paths of its files. */
  files: string[];
  /** Whether the description depends on these files only. */
  lasting: boolean;
}

/**
 * Runs scripts, each call in a state of its own. Failures are a `ZooError`: `timeout`, `untrusted`, or
 * `agent_error` / `tool_error` (by kind) with `details: { file, line, traceback }` and a message for the author:
 * the message names files as the script does, `details.file` is absolute, and the traceback has a line for each
 * frame of Lua, innermost first.
 */
export interface Sandbox {
  /** Runs with short limits, without `context` and `http`. Cached until one of its files changes. */
  describe(script: ScriptFile): Promise<ScriptDescription>;
  call(script: ScriptFile, call: ScriptCall): Promise<ScriptResult>;
  /** Stops running calls with an error. */
  close(): Promise<void>;
}
