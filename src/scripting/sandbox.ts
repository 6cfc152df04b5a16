import type { DocumentView, KnowledgeSource, SearchAnswer, SearchQuery } from '../contract/knowledge.ts';

/** A script is a guest: it gets what is in here, and nothing else. */
export type ScriptKind = 'agent' | 'tool' | 'connector';

export interface ScriptFile {
  kind: ScriptKind;
  /** Absolute. Its folder is all that `require` and `fs` can see; names that begin with a dot are hidden from both. */
  path: string;
  /** The folder that was trusted. Directly in it, a script can require what lies beside it but not what is below. */
  root: string;
  /**
   * The files (real paths) that may run, with the hashes of what they held when they were approved: code that is
   * anything else is refused as `untrusted`. Undefined where no approval is needed.
   */
  approved?: Readonly<Record<string, string>> | undefined;
  limits: ScriptLimits;
  grants: ScriptGrants;
  /** The last valid contents of these files (absolute paths). Calls run these instead of the files on disk. */
  texts?: Readonly<Record<string, string>>;
}

export interface ScriptLimits {
  /** Wall time of one call, whatever the script does with it. Waiting for a free thread does not count. */
  timeoutMs: number;
  memoryBytes: number;
  /** Of what it returns and logs, and of each item that it emits, as JSON. */
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
  /** Values that came into its config by `${VAR}`: masked, as those of `env`, in logs and messages. */
  secrets?: readonly string[];
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The hub's functions for one call. Rejections become errors that the script can catch. */
export interface ScriptHost {
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchAnswer['results']>;
  get(id: string, signal: AbortSignal): Promise<DocumentView>;
  sources(signal: AbortSignal): Promise<KnowledgeSource[]>;
  /** Takes an item of a connector; the next is asked for when this one is done with. */
  emit?(item: Json): Promise<void>;
}

export interface ScriptLog {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  /** Since the call began. */
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
  /** `context` (`search`, `get`, `sources`, `config`) is put behind them, as the last argument. */
  args: readonly Json[];
  /** The script's `context.config`. */
  config?: Json;
  host: ScriptHost;
  signal: AbortSignal;
  /** Called for each log line; the only way to see the log of a failed call. */
  onLog?(log: ScriptLog): void;
}

/** A script's description of itself. */
export interface ScriptDescription {
  /** The table that it returns, or leaves as a global. An empty Lua table is `[]`: Lua cannot tell it from `{}`. */
  table: { [key: string]: Json };
  /** The names of the table's functions, which `table` leaves out. */
  functions: string[];
  /** Every file that it was made of, absolute. */
  files: string[];
  /** Whether the description depends on these files only. */
  lasting: boolean;
}

/**
 * Runs scripts, each call in a state of its own. Failures are a `ZooError`: `timeout`, `untrusted`, or `agent_error` /
 * `tool_error` (by kind) with `details: { file, line, traceback }` and a message for the author: the message names files
 * as the script does, `details.file` is absolute, and the traceback has a line for each frame of Lua, innermost first.
 */
export interface Sandbox {
  /** Under a short limit, and without `context` and `http`. Kept until one of its files changes. */
  describe(script: ScriptFile): Promise<ScriptDescription>;
  call(script: ScriptFile, call: ScriptCall): Promise<ScriptResult>;
  /** Ends what runs, with an error. */
  close(): Promise<void>;
}
