import * as z from 'zod';

export const PromptMessage = z.strictObject({
  role: z.enum(['system', 'user', 'assistant']),
  content: z.string(),
});
export type PromptMessage = z.infer<typeof PromptMessage>;

/** One part of a prompt, and its cost. */
export const ReceiptPart = z.strictObject({
  kind: z.enum(['persona', 'skill', 'context', 'memory', 'message']),
  id: z.string(),
  title: z.string(),
  tokens: z.int().min(0),
  /** For a document: its source, relevance and last change. */
  source: z.string().optional(),
  path: z.string().optional(),
  score: z.number().optional(),
  /** 0 to 1, comparable between queries. */
  relevance: z.number().optional(),
  updatedAt: z.string().optional(),
});
export type ReceiptPart = z.infer<typeof ReceiptPart>;

export const Receipt = z.strictObject({
  agentId: z.string(),
  revision: z.int().min(0),
  parts: z.array(ReceiptPart),
  /** The whole system prompt and messages, counted as they are (headings included). */
  totalTokens: z.int().min(0),
  /** The tools in the scope, as served to a client; not part of the prompt or the total. */
  toolTokens: z.int().min(0).optional(),
  tokenizer: z.literal('o200k_base'),
  searches: z.int().min(0),
  fetches: z.int().min(0),
  warnings: z.array(z.string()),
  durationMs: z.number().min(0),
});
export type Receipt = z.infer<typeof Receipt>;

/** The trace of a script or module. Only the operator sees its log. */
export const ScriptTrace = z.strictObject({
  logs: z.array(
    z.strictObject({
      level: z.enum(['debug', 'info', 'warn', 'error']),
      message: z.string(),
      /** Since the call began. */
      atMs: z.number(),
    }),
  ),
  /** Functions of the hub that it called: `context.search`, `http.get`. */
  calls: z.record(z.string(), z.strictObject({ count: z.int().min(0), ms: z.number().min(0) })),
  tookMs: z.number().min(0),
});
export type ScriptTrace = z.infer<typeof ScriptTrace>;

export const ResolvedAgent = z.strictObject({
  system: z.string(),
  /** What the scope grants, by wire name. */
  tools: z.array(z.string()),
  /** Tools of the client itself (`Read`, `Bash`) that a Markdown agent names; passed on, never served by us. */
  clientTools: z.array(z.string()),
  messages: z.array(PromptMessage),
  receipt: Receipt,
  trace: ScriptTrace.optional(),
});
export type ResolvedAgent = z.infer<typeof ResolvedAgent>;

/** A resolved agent that was not saved, as the editor shows it beside its fields. */
export const PromptPreview = z.strictObject({
  /** The text that `agent_zoo_inject` would return. */
  prompt: z.string(),
  /** The parts of the prompt in their order, each a substring of it. */
  parts: z.array(ReceiptPart.extend({ text: z.string() })),
  resolved: ResolvedAgent,
});
export type PromptPreview = z.infer<typeof PromptPreview>;
