/** What `agent-zoo/agent` exports: an agent as a TypeScript or JavaScript module. Nothing is imported here. */

/** Of any library that keeps to https://standardschema.dev (zod, valibot, arktype, …). */
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
  /** Orders the hits of one answer, and means nothing beyond it. */
  score: number;
  /** 0 to 1, and means the same from query to query. */
  relevance: number;
  source: string;
  path: string;
  url: string | null;
  updated_at: string | null;
  metadata: Record<string, unknown>;
  passages: { id: string; headings: string[]; snippet: string; lineStart: number; lineEnd: number }[];
}

/** A document, whole. */
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

/** What a module is lent while it resolves. */
export interface ModuleContext {
  /** The knowledge base, as far as the agent's `sources` reach. */
  search(query: string, options?: ModuleSearchOptions): Promise<FoundDocument[]>;
  search(query: ModuleSearchOptions & { query: string }): Promise<FoundDocument[]>;
  /** Throws when there is no such document. */
  get(id: string): Promise<FetchedDocument>;
  sources(): Promise<DocumentSource[]>;
  /** Shown by `zoo agent test`, and kept in the hub's log. */
  log: Record<'debug' | 'info' | 'warn' | 'error', (message: string) => void>;
  /** The keys of `[agents.module.NAME]` that are the module's own, with variables filled in. */
  config: Readonly<Record<string, unknown>>;
  /** Fires when nobody waits for the answer any more. */
  signal: AbortSignal;
}

export interface ModulePrompt {
  system: string;
  /** Without it, the agent's own. */
  tools?: readonly string[];
  messages?: readonly { role: 'system' | 'user' | 'assistant'; content: string }[];
}

type Promised<T> = T | Promise<T>;

/** What every module says of its agent. */
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

/** An agent whose arguments are a list of names, and arrive as text. */
export interface ListedAgent extends ModuleFacts {
  arguments?: readonly ModuleArgument[];
  resolve(args: Record<string, string | undefined>, ctx: ModuleContext): Promised<ModulePrompt>;
}

/**
 * An agent whose arguments are a schema, and arrive as it makes them. A schema that cannot describe itself as JSON
 * Schema needs `argumentList`, for clients to know what to ask for.
 */
export interface TypedAgent<S extends StandardSchema = StandardSchema> extends ModuleFacts {
  arguments: S;
  argumentList?: readonly ModuleArgument[];
  resolve(args: NonNullable<S['~standard']['types']>['output'], ctx: ModuleContext): Promised<ModulePrompt>;
}

export type AgentModule = ListedAgent | TypedAgent;

/** Types an agent; it is handed back as it is. */
export function defineAgent<S extends StandardSchema>(agent: TypedAgent<S>): TypedAgent<S>;
export function defineAgent(agent: ListedAgent): ListedAgent;
export function defineAgent<A>(agent: A): A {
  return agent;
}
