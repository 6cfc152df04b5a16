import * as z from 'zod';
import type { CallContext } from './call.ts';
import type { Diagnostic } from './diagnostic.ts';

/** MCP content blocks, the result of a tool. */
const annotations = z
  .object({
    audience: z.array(z.enum(['user', 'assistant'])).optional(),
    priority: z.number().min(0).max(1).optional(),
    lastModified: z.string().optional(),
  })
  .optional();
const resource = { uri: z.string(), mimeType: z.string().optional() };
export const ContentBlock = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), annotations }),
  z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string(), annotations }),
  z.object({ type: z.literal('audio'), data: z.string(), mimeType: z.string(), annotations }),
  z.object({
    type: z.literal('resource_link'),
    uri: z.string(),
    name: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    mimeType: z.string().optional(),
    annotations,
  }),
  z.object({
    type: z.literal('resource'),
    resource: z.union([
      z.object({ ...resource, text: z.string() }),
      z.object({ ...resource, blob: z.string() }),
    ]),
    annotations,
  }),
]);
export type ContentBlock = z.infer<typeof ContentBlock>;

export const ToolResult = z.object({
  content: z.array(ContentBlock),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
  /** For programs, in addition to the answer. */
  _meta: z.record(z.string(), z.unknown()).optional(),
});
export type ToolResult = z.infer<typeof ToolResult>;

export const ToolAnnotations = z.object({
  readOnlyHint: z.boolean(),
  destructiveHint: z.boolean(),
  idempotentHint: z.boolean(),
  openWorldHint: z.boolean(),
});

export const ToolOrigin = z.enum(['builtin', 'script', 'upstream', 'published']);
export type ToolOrigin = z.infer<typeof ToolOrigin>;

const JsonSchemaObject = z.record(z.string(), z.unknown());

/** A listed tool. `name` is the wire name; `displayName` is the form for people (`server.tool`). */
export const ToolDescriptor = z.object({
  name: z.string(),
  displayName: z.string(),
  title: z.string(),
  description: z.string(),
  origin: ToolOrigin,
  inputSchema: JsonSchemaObject,
  outputSchema: JsonSchemaObject.optional(),
  annotations: ToolAnnotations,
  /** Its server does not declare whether it reads, writes or destroys, so `annotations` assume the worst. */
  undeclared: z.literal(true).optional(),
  /** Whether its server has changed it since it was accepted or last used. */
  changed: z.boolean().optional(),
  /** Its token cost for a client; only if requested. */
  tokens: z.int().min(0).optional(),
  /** Hints for particular clients, passed on as MCP's `_meta`. */
  meta: z.record(z.string(), z.unknown()).optional(),
});
export type ToolDescriptor = z.infer<typeof ToolDescriptor>;

/** A request that only a client can fulfil, in MCP terms. */
export interface ClientQuestion {
  method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  params: Record<string, unknown>;
  /**
   * Null if the client does not support it. Without this flag, the call then fails and names the missing
   * capability.
   */
  optional?: boolean;
  /**
   * For questions that open a page: called when the person has finished there, possibly long after the answer, or
   * never.
   */
  completed?: Promise<void>;
}
export type ClientAnswer = Record<string, unknown>;

/**
 * What a tool or prompt may do while it runs. Clients of the newest MCP revision answer a question by calling
 * again, so a tool that asks runs from the start in each round and must ask before it changes anything.
 */
export interface ToolCall {
  context: CallContext;
  progress(done: number, total?: number, message?: string): void;
  /** Asks the person behind the client; null if the client does not support it or the person declines. */
  elicit(message: string, schema: Record<string, unknown>): Promise<Record<string, unknown> | null>;
  /** Several questions at once, under names that are the same in every round. */
  ask(questions: Readonly<Record<string, ClientQuestion>>): Promise<Record<string, ClientAnswer | null>>;
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string): void;
  /** `_meta` of the request, where the surface has one. The client's word. */
  meta?: Readonly<Record<string, unknown>>;
  /**
   * The client's answers from earlier rounds, by question name. A provider that cannot start over uses them to find
   * the call to continue. The names come from the client and prove nothing. Absent if the client is asked during
   * the call.
   */
  answered?: Readonly<Record<string, ClientAnswer>>;
}

/** A call without a client to ask or to report to. */
export function silentCall(context: CallContext): ToolCall {
  return {
    context,
    progress: () => undefined,
    elicit: async () => null,
    ask: async (questions) => Object.fromEntries(Object.keys(questions).map((name) => [name, null])),
    log: () => undefined,
  };
}

/** A tool as the catalogue keeps it. `execute` gets arguments that fit the schema, defaults filled in. */
export interface Tool {
  descriptor: ToolDescriptor;
  /** Whether it edits agents, and is hidden by `[mcp] editing = false`. */
  edits?: boolean;
  /** The agent that publishes it. */
  publishedBy?: string;
  /** Throws before schema validation, for mistakes with a specific error code. */
  precheck?(args: Record<string, unknown>): void;
  execute(args: Record<string, unknown>, call: ToolCall): Promise<ToolResult>;
}

/**
 * A provider of tools: scripts, upstream servers, published agents. It returns at once with the tools it knows and
 * announces later ones with the event `tools-changed`. Returning the same array means that nothing changed.
 */
export interface ToolProvider<Of> {
  tools(of: Of): Promise<readonly Tool[]>;
  /** Problems of tools that are not served. */
  diagnostics?(of: Of): Promise<Diagnostic[]>;
  /** Before listing: waits briefly for servers that were never reached. */
  arrive?(of: Of): Promise<void>;
  /** Why a tool of this name is not available, as the end of a sentence; null if that is unknown. */
  absence?(name: string, of: Of): string | null;
  /**
   * Before a call: waits for a tool of this name if its server was not reached yet, and returns whether to look
   * again. `isWanted` gets the display name, before any server is started.
   */
  awaitTool?(name: string, of: Of, isWanted: (name: string) => boolean): Promise<boolean>;
}
