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

/** MCP knows no system role, so a system prompt is the first thing a user says. */
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
  /** Values that an argument may take, for what has been typed so far; null when the prompt is not one of these. */
  complete(
    name: string,
    argument: { name: string; value: string },
    context: CallContext,
  ): Promise<string[] | null>;
}
