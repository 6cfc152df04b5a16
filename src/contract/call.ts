import { ZooError } from './errors.ts';

/** The way in. */
export type Surface = 'http' | 'mcp' | 'a2a' | 'acp' | 'cli' | 'web';

/** Who calls. Code that decides by kind does so exhaustively, so that a new kind is a compile error there. */
export type Caller =
  | { kind: 'operator' }
  /** Holds a token that is bound to one agent, in the workspace it was made for. */
  | { kind: 'agent'; agentId: string; tokenId: string }
  /** A member of a team, known by a token of its own. */
  | { kind: 'member'; teamId: string; memberId: string; tokenId: string }
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
  /** How many agents deep this call is nested: 0 from outside, 1 for tools that an agent of ours calls. */
  depth: number;
  /** What is left of the caller's own budget; empty from outside. */
  budget: Budget;
  /** The run on whose behalf the call is made: a run that it starts spends from the budget of this one. */
  run?: string;
  signal: AbortSignal;
  /** The caller's own name for this write: made again under the same one, it is done once. */
  idempotencyKey?: string;
  /** A hash of what is asked, set along with the key: another request under the same key is refused. */
  requestHash?: string;
}

/** Deeper nesting is nearly always a cycle of agents that call one another. */
export const MAX_DEPTH = 8;

/** The context for an agent that runs on behalf of a call: one deeper, and within what is left of the budget. */
export function nestContext(context: CallContext, agent: string, budget: Budget = {}): CallContext {
  const nested = { ...context, agent, depth: context.depth + 1, budget: smallest(context.budget, budget) };
  refuseExhausted(nested);
  return nested;
}

/** Throws `budget_exceeded` for a call that is nested too deeply or has nothing left to spend. */
export function refuseExhausted({ depth, budget }: Pick<CallContext, 'depth' | 'budget'>): void {
  if (depth > MAX_DEPTH) {
    const message = `Agents call one another more than ${MAX_DEPTH} deep. Look for a cycle in their tools.`;
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

/** Who a history says it was. */
export function callerName({ caller }: Pick<CallContext, 'caller'>): string {
  if (caller.kind === 'agent') return `agent:${caller.agentId}`;
  if (caller.kind === 'member') return `member:${caller.teamId}/${caller.memberId}`;
  return nameless(caller);
}

/** Tells callers apart whose names are the same: two tokens of one agent are two callers. */
export function callerKey(caller: Caller): string {
  return 'tokenId' in caller ? `${caller.kind} ${caller.tokenId}` : nameless(caller);
}

/** The kinds without a token. A new kind does not compile here until its name has been decided above. */
const nameless = ({ kind }: { kind: 'operator' | 'anonymous' }): string => kind;
