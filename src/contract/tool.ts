import * as z from 'zod';
import type { CallContext } from './call.ts';

/** MCP's content blocks: what a tool answers with. */
const annotations = z.record(z.string(), z.unknown()).optional();
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
    resource: z.object({
      uri: z.string(),
      mimeType: z.string().optional(),
      text: z.string().optional(),
      blob: z.string().optional(),
    }),
    annotations,
  }),
]);
export type ContentBlock = z.infer<typeof ContentBlock>;

export const ToolResult = z.object({
  content: z.array(ContentBlock),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});
export type ToolResult = z.infer<typeof ToolResult>;

export const ToolAnnotations = z.object({
  readOnlyHint: z.boolean(),
  destructiveHint: z.boolean(),
  idempotentHint: z.boolean(),
  openWorldHint: z.boolean(),
});

export const ToolOrigin = z.enum(['builtin', 'script', 'upstream', 'published']);

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
});
export type ToolDescriptor = z.infer<typeof ToolDescriptor>;

/** What a tool may do while it runs, besides answering. */
export interface ToolCall {
  context: CallContext;
  progress(done: number, total?: number, message?: string): void;
  /** Asks the person behind the client; null when the client cannot, or the person declines. */
  elicit(message: string, schema: Record<string, unknown>): Promise<Record<string, unknown> | null>;
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string): void;
}

/** A tool as the catalogue keeps it. `execute` gets arguments that fit the schema, defaults filled in. */
export interface Tool {
  descriptor: ToolDescriptor;
  /** Throws before the arguments meet the schema, for a mistake that has an error code of its own. */
  precheck?(args: Record<string, unknown>): void;
  execute(args: Record<string, unknown>, call: ToolCall): Promise<ToolResult>;
}
