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

/** A group entry that leads to a tool. */
export const ScopeStep = z.strictObject({ group: z.string(), entry: z.string(), place: ScopePlace });
export type ScopeStep = z.infer<typeof ScopeStep>;

export const ScopedTool = z.strictObject({
  name: z.string(),
  displayName: z.string(),
  description: z.string(),
  origin: ToolOrigin,
  tokens: z.int().min(0),
  /** The entry of the agent's list that grants it; null without a list. */
  rule: z.string().nullable(),
});
export type ScopedTool = z.infer<typeof ScopedTool>;

/** The tools in an agent's scope, and their cost. */
export const ScopeReport = z.strictObject({
  agentId: z.string(),
  /** Its list as written; null for the default, the read-only built-in tools. */
  declared: z.array(z.string()).nullable(),
  tools: z.array(ScopedTool),
  /** Entries that match no tool. */
  unknown: z.array(z.string()),
  /** Tools of the client itself that a Markdown agent names. */
  clientTools: z.array(z.string()),
  /** Whether clients get `find_tools` and `call_tool` instead of the list. */
  searched: z.boolean(),
  /** Its token cost, as served to a client. */
  tokens: AgentTokens,
});
export type ScopeReport = z.infer<typeof ScopeReport>;

/** The scope that a list of tools would give an agent, before it is saved. */
export const ScopePreview = z.strictObject({
  agentId: z.string(),
  /** Every tool of the catalogue, by name. */
  tools: z.array(
    z.strictObject({
      name: z.string(),
      allowed: z.boolean(),
      rule: z.string().nullable(),
      /** As a sentence. */
      because: z.string(),
    }),
  ),
  unknown: z.array(z.string()),
  clientTools: z.array(z.string()),
  /** Groups of the config that the list may name, and how many tools each stands for. */
  groups: z.array(z.strictObject({ name: z.string(), tools: z.int().min(0) })),
  /** Above this many tools, clients get `find_tools` and `call_tool` instead of the list. */
  searchAbove: z.int().min(0),
});
export type ScopePreview = z.infer<typeof ScopePreview>;

/** Why a tool is or is not in an agent's scope. */
export const ScopeExplanation = z.strictObject({
  agentId: z.string(),
  /** Its wire name, or the requested name if there is no such tool. */
  tool: z.string(),
  displayName: z.string(),
  exists: z.boolean(),
  allowed: z.boolean(),
  /** As a sentence. */
  because: z.string(),
  rule: z.string().nullable(),
  place: ScopePlace,
  via: z.array(ScopeStep),
  /** The closest tool name, if there is no such tool. */
  nearest: z.string().nullable(),
});
export type ScopeExplanation = z.infer<typeof ScopeExplanation>;
