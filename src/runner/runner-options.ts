import type { Agent } from '../contract/agent.ts';
import type { Caller, CallContext } from '../contract/call.ts';
import type { ResolvedAgent } from '../contract/resolved.ts';
import type { ToolDescriptor, ToolResult } from '../contract/tool.ts';
import type { Database } from '../platform/store/database.ts';
import type { Questions } from '../platform/store/questions.ts';
import type { BudgetLimit } from './budget/budget.ts';
import type { AskPerson } from './approvals/ask-person.ts';
import type { RunBudgets } from './budget/run-budgets.ts';
import type { DayLimits, Spending } from './budget/spending.ts';
import type { RunLimits } from './loop/run-parts.ts';
import type { LocalModels } from './models/local-models.ts';
import type { Effort } from './models/model.ts';
import type { ConfiguredProvider } from './models/provider.ts';
import type { LiveRuns } from './runs/live-runs.ts';
import type { RunEventLog } from './runs/run-event-log.ts';
import type { RunOwnership } from './runs/run-ownership.ts';
import type { PauseSwitch } from './runs/pause-switch.ts';
import type { RunMessages } from './runs/run-messages.ts';
import type { AgentVersion, RunRequest } from './runs/run-request.ts';
import type { RunStore } from './runs/run-store.ts';

/** Run settings of one workspace, with defaults. */
export interface RunSettings {
  providers: readonly ConfiguredProvider[];
  models: readonly string[] | undefined;
  temperature: number | undefined;
  effort: Effort | undefined;
  limits: RunLimits;
  /** How many runs the holder of a token may have under way. */
  runsPerToken: number;
  runBudget: BudgetLimit;
  dayLimits: DayLimits;
}

/** The other rooms, as functions. */
export interface RunnerOptions {
  db: Database;
  store: RunStore;
  live: LiveRuns;
  events: RunEventLog;
  ownership: RunOwnership;
  budgets: RunBudgets;
  spending: Spending;
  questions: Questions;
  chatApprovals: ChatApprovals;
  messages: RunMessages;
  pause: PauseSwitch;
  /** A turn of a chat is over; messages that came too late for it are the next one. */
  turnEnded(request: RunRequest): Promise<void>;
  now(): Date;
  settings(context: CallContext): Promise<RunSettings>;
  localModels: Pick<LocalModels, 'facts'>;
  /** Throws `untrusted` for an agent of a workspace that is not approved. */
  agent(id: string, context: CallContext, version?: AgentVersion): Promise<Agent>;
  /** Throws `invalid_arguments` if a required one is missing. */
  checkArguments(agent: Agent, args: Record<string, unknown>): void;
  resolve(id: string, args: Record<string, unknown>, context: CallContext): Promise<ResolvedAgent>;
  /** All tools in scope, and those that a model is shown: the same, unless the scope is too large to be listed. */
  tools(context: CallContext): Promise<ScopedTools>;
  call(name: string, args: Record<string, unknown>, call: ToolCallOptions): Promise<ToolResult>;
  /** Writes to the agent's definition that the tool needs no approval. Throws `read_only` for an agent in a file. */
  allowAlways(agentId: string, tool: string, context: CallContext): Promise<void>;
  loadCounter(): Promise<(text: string) => number>;
  /** Whether this caller's token was revoked, so that its runs must not continue. */
  isRevoked(caller: Caller): Promise<boolean>;
  /** The context of a run that goes on after a restart. */
  contextOf(request: RunRequest): CallContext;
  log(message: string, error: unknown): void;
  /** A line of the log about a run. */
  note(message: string, run: Record<string, unknown>): void;
}

export interface ScopedTools {
  inScope: readonly ToolDescriptor[];
  shown: readonly ToolDescriptor[];
}

/** Tools that need no further approval in a chat. */
export interface ChatApprovals {
  /** Of one definition of the agent: see `definitionPlace`. */
  list(chatId: string, of: string): Promise<string[]>;
  allow(chatId: string, tool: string, of: string): Promise<void>;
}

export interface ToolCallOptions {
  context: CallContext;
  progress(done: number, total?: number, message?: string): void;
  /** Absent if nobody can be asked. */
  ask?: AskPerson;
}
