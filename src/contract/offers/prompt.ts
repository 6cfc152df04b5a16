import * as z from 'zod';
import type { CallContext } from '../call.ts';
import { ContentBlock, type ToolCall } from '../tool.ts';

const PromptArgument = z.strictObject({
  name: z.string(),
  description: z.string(),
  required: z.boolean(),
});

export const PromptDescriptor = z.strictObject({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  arguments: z.array(PromptArgument),
});
export type PromptDescriptor = z.infer<typeof PromptDescriptor>;

/** MCP has no system role, so the system prompt is the first user message. */
export const PromptResult = z.strictObject({
  description: z.string().optional(),
  messages: z.array(z.strictObject({ role: z.enum(['user', 'assistant']), content: ContentBlock })),
  _meta: z.record(z.string(), z.unknown()).optional(),
});
export type PromptResult = z.infer<typeof PromptResult>;

/** Where prompts come from. */
export interface PromptProvider {
  /** In a stable order. */
  list(context: CallContext): Promise<PromptDescriptor[]>;
  /** Null when no prompt has this name. */
  get(name: string, args: Readonly<Record<string, string>>, call: ToolCall): Promise<PromptResult | null>;
  /** Completions for an argument; null if the prompt belongs to another provider. */
  complete(
    name: string,
    argument: { name: string; value: string },
    context: CallContext,
  ): Promise<string[] | null>;
}
