import * as z from 'zod';
import type { Caller } from '../../contract/call.ts';
import { AgentPatch, ToolApprovals, ToolPermission } from '../../contract/agent.ts';
import { FilePart, TextPart } from '../../contract/run.ts';

/** Limits of one run, below those of the config. */
export const RunRequestLimits = z.strictObject({
  maxTurns: z.int().min(1).optional(),
  maxOutputTokens: z.int().min(1).optional(),
  wallMs: z.int().min(1).optional(),
  tokens: z.number().min(0).optional(),
  usd: z.number().min(0).optional(),
});
export type RunRequestLimits = z.infer<typeof RunRequestLimits>;

/** Rules for tools that count in place of the agent's own. */
export const RunPermissions = z.strictObject({
  toolPermission: ToolPermission.optional(),
  toolApprovals: ToolApprovals.optional(),
});
export type RunPermissions = z.infer<typeof RunPermissions>;

/** A revision of the editor, with changes that are not saved. */
export const AgentVersion = z.strictObject({
  revision: z.int().min(1).optional(),
  definition: AgentPatch.optional(),
});
export type AgentVersion = z.infer<typeof AgentVersion>;

const Identity = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('operator') }),
  z.strictObject({ kind: z.literal('agent'), agentId: z.string(), tokenId: z.string() }),
  z.strictObject({
    kind: z.literal('member'),
    teamId: z.string(),
    memberId: z.string(),
    tokenId: z.string(),
  }),
  z.strictObject({ kind: z.literal('anonymous') }),
]) satisfies z.ZodType<Caller>;

/** The complete request of a run, sufficient to resume it after a restart. */
export const RunRequest = z.strictObject({
  id: z.string(),
  agentId: z.string(),
  workspace: z.string(),
  /** Who asked: it alone and the operator see the run. */
  caller: z.string(),
  /** The identity whose rights apply after a restart. */
  identity: Identity.default({ kind: 'anonymous' }),
  surface: z.enum(['http', 'mcp', 'a2a', 'acp', 'cli', 'web', 'team']),
  input: z.array(z.discriminatedUnion('type', [TextPart, FilePart])),
  arguments: z.record(z.string(), z.unknown()),
  /** Nobody can be asked for approval. */
  headless: z.boolean(),
  models: z.array(z.string()).nullable(),
  outputSchema: z.record(z.string(), z.unknown()).nullable(),
  depth: z.int().min(0),
  /** The run whose tool call started this one, and what that run had left to spend. */
  parent: z.string().optional(),
  budget: z
    .strictObject({ tokens: z.number().optional(), usd: z.number().optional(), turns: z.number().optional() })
    .optional(),
  /** The chat it is part of, and the run of it that it continues. */
  chat: z.strictObject({ id: z.string(), previous: z.string().nullable() }).optional(),
  temperature: z.number().optional(),
  effort: z.enum(['low', 'medium', 'high']).optional(),
  /** Another version of the agent than the one that is served. */
  version: AgentVersion.optional(),
  limits: RunRequestLimits.optional(),
  permissions: RunPermissions.optional(),
});
export type RunRequest = z.infer<typeof RunRequest>;
