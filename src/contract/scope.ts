import * as z from 'zod';
import { AgentTokens } from './agent.ts';
import { ToolOrigin } from './tool.ts';

/** Where something is written: a line of a file, or a revision of an agent in the editor. */
export const ScopePlace = z.strictObject({
  file: z.string().nullable(),
  line: z.int().min(1).nullable(),
  revision: z.int().min(1).nullable(),
});
export type ScopePlace = z.infer<typeof ScopePlace>;

/** An entry of a group on the way to a tool. */
export const ScopeStep = z.strictObject({ group: z.string(), entry: z.string(), place: ScopePlace });
export type ScopeStep = z.infer<typeof ScopeStep>;

export const ScopedTool = z.strictObject({
  name: z.string(),
  displayName: z.string(),
  description: z.string(),
  origin: ToolOrigin,
  tokens: z.int().min(0),
  /** The entry of the agent's list that gives it; null without a list. */
  rule: z.string().nullable(),
});
export type ScopedTool = z.infer<typeof ScopedTool>;

/** What an agent may see and call, and what that costs. */
export const ScopeReport = z.strictObject({
  agentId: z.string(),
  /** Its list as written; null where it has none, and so the read-only built-ins. */
  declared: z.array(z.string()).nullable(),
  tools: z.array(ScopedTool),
  /** Entries that name a tool which is not there. */
  unknown: z.array(z.string()),
  /** Tools of the client itself that a Markdown agent names. */
  clientTools: z.array(z.string()),
  /** Whether clients are served `find_tools` and `call_tool` instead of the list. */
  searched: z.boolean(),
  /** What it costs a client as it is served. */
  tokens: AgentTokens,
});
export type ScopeReport = z.infer<typeof ScopeReport>;

/** Why a tool is in an agent's scope, or is not. */
export const ScopeExplanation = z.strictObject({
  agentId: z.string(),
  /** Its wire name, or what was asked for where there is no such tool. */
  tool: z.string(),
  displayName: z.string(),
  exists: z.boolean(),
  allowed: z.boolean(),
  /** In a sentence. */
  because: z.string(),
  rule: z.string().nullable(),
  place: ScopePlace,
  via: z.array(ScopeStep),
  /** What a name that no tool has may have meant. */
  nearest: z.string().nullable(),
});
export type ScopeExplanation = z.infer<typeof ScopeExplanation>;
