import * as z from 'zod';
import type { CallContext } from './call.ts';
import type { Diagnostic } from './diagnostic.ts';

/** MCP's content blocks: what a tool answers with. */
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
  /** For programs, beside the answer. */
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

/** What a surface lists. `name` is the wire name; `displayName` is what people write (`server.tool`). */
export const ToolDescriptor = z.object({
  name: z.string(),
  displayName: z.string(),
  title: z.string(),
  description: z.string(),
  origin: ToolOrigin,
  inputSchema: JsonSchemaObject,
  outputSchema: JsonSchemaObject.optional(),
  annotations: ToolAnnotations,
  /** Whether its server has changed it since it was accepted or last used. */
  changed: z.boolean().optional(),
  /** What it costs a client to know of it; only where that was asked for. */
  tokens: z.int().min(0).optional(),
  /** Hints for particular clients, handed on as MCP's `_meta`. */
  meta: z.record(z.string(), z.unknown()).optional(),
});
export type ToolDescriptor = z.infer<typeof ToolDescriptor>;

/** What only a client can do, in the terms of MCP. */
export interface ClientQuestion {
  method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  params: Record<string, unknown>;
  /** Answered with null by a client that cannot; without it, such a client is told that the call needs it. */
  optional?: boolean;
  /** Where it sends somebody to a page: when they are done there. That may be long after the answer, or never. */
  completed?: Promise<void>;
}
export type ClientAnswer = Record<string, unknown>;

/**
 * What a tool or a prompt may do while it runs, besides answering.
 * Clients of the newest revision answer a question by calling again: whoever asks runs from its start once more for
 * each round, so it asks before it changes anything.
 */
export interface ToolCall {
  context: CallContext;
  progress(done: number, total?: number, message?: string): void;
  /** Asks the person behind the client; null when the client cannot, or the person declines. */
  elicit(message: string, schema: Record<string, unknown>): Promise<Record<string, unknown> | null>;
  /** Several questions at once, under names that are the same in every round. */
  ask(questions: Readonly<Record<string, ClientQuestion>>): Promise<Record<string, ClientAnswer | null>>;
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string): void;
  /**
   * Where questions end a round: what the client has answered so far, by the names it was asked under. Whoever cannot
   * begin anew finds in it which of its calls to go on with. The names are the client's word: they prove nothing.
   * Absent where the client is asked in mid-call.
   */
  answered?: Readonly<Record<string, ClientAnswer>>;
}

/** A call by somebody who cannot be asked, and does not watch. */
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
  /** Throws before the arguments meet the schema, for a mistake that has an error code of its own. */
  precheck?(args: Record<string, unknown>): void;
  execute(args: Record<string, unknown>, call: ToolCall): Promise<ToolResult>;
}

/**
 * Where tools besides the hub's own come from: scripts, upstream servers, published agents. `Of` is what a provider
 * is asked about. It answers quickly, with what it knows: what takes longer is told by the event `tools-changed`.
 * The same array means that nothing is different.
 */
export interface ToolProvider<Of> {
  tools(of: Of): Promise<readonly Tool[]>;
  /** What is wrong with tools that are therefore not there. */
  diagnostics?(of: Of): Promise<Diagnostic[]>;
  /** For somebody who wants to see all of them: waits a moment for what was never seen. */
  arrive?(of: Of): Promise<void>;
  /** Why a tool of this name is not available, as the end of a sentence; null if that is unknown. */
  absence?(name: string, of: Of): string | null;
  /**
   * For somebody who calls it: waits for a tool of this name, if one may be on its way; whether to look again.
   * `isWanted` is asked about the name as people write it, before anything is started for it.
   */
  awaitTool?(name: string, of: Of, isWanted: (name: string) => boolean): Promise<boolean>;
}
