/** The way in. */
export type Surface = 'http' | 'mcp' | 'a2a' | 'cli' | 'web';

export type Caller =
  | { kind: 'operator' }
  /** Holds a token that is bound to one agent, in the workspace it was made for. */
  | { kind: 'agent'; agentId: string; tokenId: string }
  | { kind: 'anonymous' };

/** What is left to spend. Absent limits are not limited. */
export interface Budget {
  tokens?: number;
  usd?: number;
  turns?: number;
}

/** Who calls, from where, on whose behalf, and how far they may go. Every operation gets one. */
export interface CallContext {
  caller: Caller;
  /** The id of the workspace whose agents, tools and sources the caller sees. */
  workspace: string;
  /** The agent on whose behalf the call is made; its scope then applies. */
  agent: string | null;
  surface: Surface;
  /** The connection or session of the client, where it has one: what is kept for it ends with it. */
  client?: string;
  /** How many agents deep this call is nested. */
  depth: number;
  budget: Budget;
  signal: AbortSignal;
  /** The caller's own name for this write: made again under the same one, it is done once. */
  idempotencyKey?: string;
}

/** Who a history says it was. */
export function callerName({ caller }: CallContext): string {
  return caller.kind === 'agent' ? `agent:${caller.agentId}` : caller.kind;
}
