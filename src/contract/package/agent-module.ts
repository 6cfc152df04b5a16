/** The exports of `agent-zoo/agent`: an agent as a TypeScript or JavaScript module. Nothing is imported here. */

/** From any library that implements https://standardschema.dev (zod, valibot, arktype, …). */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (
      value: unknown,
    ) => StandardSchemaResult<Output> | Promise<StandardSchemaResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type StandardSchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardSchemaIssue[] };

export interface StandardSchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export interface ModuleArgument {
  name: string;
  description?: string;
  required?: boolean;
  default?: string;
}

export interface ModuleSearchOptions {
  mode?: 'keyword' | 'semantic' | 'hybrid';
  limit?: number;
  /** `TYPE:NAME`, a name, or a type; the same as `filters.source`. */
  source?: string | string[];
  filters?: {
    source?: string | string[];
    /** A glob over paths within their source; without a slash, over names at any depth. */
    path?: string;
    /** A day, a month, a year, an instant, or how long ago (`7d`). */
    since?: string;
    until?: string;
    metadata?: Record<string, string | number | boolean>;
  };
}

/** A document that a search has found. */
export interface FoundDocument {
  id: string;
  title: string;
  headings: string[];
  snippet: string;
  /** Orders the hits of one search; not comparable between searches. */
  score: number;
  /** 0 to 1, comparable between queries. */
  relevance: number;
  source: string;
  path: string;
  url: string | null;
  updated_at: string | null;
  metadata: Record<string, unknown>;
  passages: { id: string; headings: string[]; snippet: string; lineStart: number; lineEnd: number }[];
}

/** A complete document. */
export interface FetchedDocument {
  id: string;
  title: string;
  body: string;
  source: string;
  path: string;
  url: string | null;
  mime_type: string;
  updated_at: string | null;
  metadata: Record<string, unknown>;
  lines: number;
  tokens: number;
}

/** A place that documents come from. */
export interface DocumentSource {
  /** `TYPE:NAME`. */
  id: string;
  type: string;
  name: string;
  documents: number;
  last_sync: string | null;
}

/** Passed to a module while it resolves. */
export interface ModuleContext {
  /** The knowledge base, as far as the agent's `sources` reach. */
  search(query: string, options?: ModuleSearchOptions): Promise<FoundDocument[]>;
  search(query: ModuleSearchOptions & { query: string }): Promise<FoundDocument[]>;
  /** Throws if there is no such document. */
  get(id: string): Promise<FetchedDocument>;
  sources(): Promise<DocumentSource[]>;
  /** Shown by `zoo agent test`, and kept in the hub's log. */
  log: Record<'debug' | 'info' | 'warn' | 'error', (message: string) => void>;
  /** The keys of `[agents.module.NAME]` that are the module's own, with variables filled in. */
  config: Readonly<Record<string, unknown>>;
  /** Aborts when the call is cancelled. */
  signal: AbortSignal;
}

export interface ModulePrompt {
  system: string;
  /** Without it, the agent's own. */
  tools?: readonly string[];
  messages?: readonly { role: 'system' | 'user' | 'assistant'; content: string }[];
}

type Promised<T> = T | Promise<T>;

/** The fields of every agent module. */
export interface ModuleFacts {
  name: string;
  description?: string;
  version?: string;
  /** Without it, the read-only tools of the hub. */
  tools?: readonly string[];
  /** Knowledge sources that it may search; without it, all. */
  sources?: readonly string[];
  model?: string;
}

/** An agent with a list of arguments, which arrive as text. */
export interface ListedAgent extends ModuleFacts {
  arguments?: readonly ModuleArgument[];
  resolve(args: Record<string, string | undefined>, ctx: ModuleContext): Promised<ModulePrompt>;
}

/**
 * An agent whose arguments are parsed by a schema. A schema that cannot be converted to JSON Schema needs
 * `argumentList`, so that clients know the arguments.
 */
export interface TypedAgent<S extends StandardSchema = StandardSchema> extends ModuleFacts {
  arguments: S;
  argumentList?: readonly ModuleArgument[];
  resolve(args: NonNullable<S['~standard']['types']>['output'], ctx: ModuleContext): Promised<ModulePrompt>;
}

export type AgentModule = ListedAgent | TypedAgent;

/** Only adds types; returns the agent unchanged. */
export function defineAgent<S extends StandardSchema>(agent: TypedAgent<S>): TypedAgent<S>;
export function defineAgent(agent: ListedAgent): ListedAgent;
export function defineAgent<A>(agent: A): A {
  return agent;
}
