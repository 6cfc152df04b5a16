import type { DocumentView, KnowledgeSource, SearchAnswer, SearchQuery } from '../contract/knowledge.ts';

/** A script is a guest: it gets what is in here, and nothing else. */
export type ScriptKind = 'agent' | 'tool' | 'connector';

export interface ScriptFile {
  kind: ScriptKind;
  /** Absolute. Its folder is all that `require` and `fs` can see. */
  path: string;
  limits: ScriptLimits;
  grants: ScriptGrants;
}

export interface ScriptLimits {
  /** Wall time of one call, whatever the script does with it. */
  timeoutMs: number;
  memoryBytes: number;
  /** Of what it returns, emits and logs, as JSON. */
  outputBytes: number;
  hostCalls: number;
}

export interface ScriptGrants {
  /** Hosts that `http` may reach: `api.example.com`, `*.example.com`, `localhost:8080`. */
  hosts: readonly string[];
  /** Variables that `env.get` may read, with their values. */
  env: Readonly<Record<string, string>>;
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What the hub lends to one call. Rejections reach the script as errors that it can catch. */
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
  args: readonly Json[];
  host: ScriptHost;
  signal: AbortSignal;
}

/**
 * Runs scripts, each call in a state of its own. What goes wrong is a `ZooError`: `timeout`, or `agent_error` /
 * `tool_error` (by kind) with `details: { file, line, traceback }` and a message for the author.
 */
export interface Sandbox {
  /** The table that the script returns (or leaves as a global), its functions left out. Under a short limit. */
  describe(script: ScriptFile): Promise<Json>;
  call(script: ScriptFile, call: ScriptCall): Promise<ScriptResult>;
  close(): Promise<void>;
}
