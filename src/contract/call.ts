import { ZooError } from './errors.ts';

/** The surface that a call came through; `team` for members that the hub itself runs. */
export type Surface = 'http' | 'mcp' | 'a2a' | 'acp' | 'cli' | 'web' | 'team';

/** Who calls. Switch over `kind` exhaustively, so that a new kind is a compile error. */
export type Caller =
  | { kind: 'operator' }
  /** Holds a token bound to one agent, in the workspace it was created in. */
  | { kind: 'agent'; agentId: string; tokenId: string }
  /** A member of a team, known by a token of its own. */
  | { kind: 'member'; teamId: string; memberId: string; tokenId: string }
  | { kind: 'anonymous' };

/** The remaining budget. Absent means unlimited. */
export interface Budget {
  tokens?: number;
  usd?: number;
  turns?: number;
}

/** Passed with every operation: the caller, where it calls from, for which agent, and its limits. */
export interface CallContext {
  caller: Caller;
  /** The id of the caller's workspace. */
  workspace: string;
  /** The agent on whose behalf the call is made; its scope then applies. */
  agent: string | null;
  surface: Surface;
  /** The client's connection or session, if any. State kept for the client ends with it. */
  client?: string;
  /** The name that the client gives itself, over MCP and ACP. Not verified. */
  clientName?: string;
  /** Nesting depth of agents: 0 from outside, 1 for tools that an agent calls. */
  depth: number;
  /** What is left of the caller's own budget; empty from outside. */
  budget: Budget;
  /** The run on whose behalf the call is made: a run that it starts spends from the budget of this one. */
  run?: string;
  /** The tool call of that run. */
  toolCall?: string;
  /** Set for the tool calls of a run that a person follows; `approved` if they have allowed this call, or the tool for the chat. */
  attended?: 'present' | 'approved';
  signal: AbortSignal;
  idempotencyKey?: string;
  /** A hash of the request, set together with the key: a different request with the same key is rejected. */
  requestHash?: string;
}

/** Deeper nesting is nearly always a cycle of agents that call one another. */
export const MAX_DEPTH = 8;

/** The context for an agent that runs as part of a call: one level deeper, with the remaining budget. */
export function nestContext(context: CallContext, agent: string, budget: Budget = {}): CallContext {
  const { attended: _, ...rest } = context;
  const nested = { ...rest, agent, depth: context.depth + 1, budget: smallest(context.budget, budget) };
  refuseExhausted(nested);
  return nested;
}

/** Throws `budget_exceeded` for a call that is nested too deeply or has nothing left to spend. */
export function refuseExhausted({ depth, budget }: Pick<CallContext, 'depth' | 'budget'>): void {
  if (depth > MAX_DEPTH) {
    const message = `Agents call one another more than ${MAX_DEPTH} levels deep. Check their tools for a cycle.`;
    throw new ZooError('budget_exceeded', message, { depth, limit: MAX_DEPTH });
  }
  const spent = (['tokens', 'usd', 'turns'] as const).filter((unit) => (budget[unit] ?? 1) <= 0);
  if (spent.length === 0) return;
  throw new ZooError('budget_exceeded', `The budget is used up: no ${spent.join(' and no ')} left.`, {
    spent,
  });
}

function smallest(a: Budget, b: Budget): Budget {
  const least: Budget = { ...a };
  for (const unit of ['tokens', 'usd', 'turns'] as const) {
    const value = b[unit];
    if (value !== undefined) least[unit] = Math.min(value, a[unit] ?? value);
  }
  return least;
}

/** The caller's name in histories. */
export function callerName({ caller }: Pick<CallContext, 'caller'>): string {
  if (caller.kind === 'agent') return `agent:${caller.agentId}`;
  if (caller.kind === 'member') return `member:${caller.teamId}/${caller.memberId}`;
  return nameless(caller);
}

/** Distinguishes callers with the same name: two tokens of one agent are two callers. */
export function callerKey(caller: Caller): string {
  return 'tokenId' in caller ? tokenKey(caller) : nameless(caller);
}

/** The key of every caller with this token. */
export function tokenKey({ kind, tokenId }: { kind: 'agent' | 'member'; tokenId: string }): string {
  return `${kind} ${tokenId}`;
}

/** Kinds without a token. A new kind is a compile error here until it has a name above. */
const nameless = ({ kind }: { kind: 'operator' | 'anonymous' }): string => kind;
