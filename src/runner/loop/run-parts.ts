import type {
  EndReason,
  ModelMessage,
  RunEvent,
  RunState,
  ToolCallPart,
  ToolResultPart,
  Usage,
  UserPart,
} from '../../contract/run.ts';
import type { RunError } from '../../contract/run.ts';
import type { ToolDescriptor, ToolResult } from '../../contract/tool.ts';
import type { Amount, Reservation } from '../budget/budget.ts';
import type { Effort, Model } from '../models/model.ts';
import type { Approval } from '../permissions.ts';
import type { WallClock } from './wall-clock.ts';

/** A model of the run with its price. Opened when its turn comes. */
export interface RunModel {
  model: Model;
  price(usage: Omit<Usage, 'usd'>): number | null;
}

/** A decision of a person about one call. */
export interface ApprovalAnswer {
  decision: 'once' | 'chat' | 'always' | 'deny';
  reason?: string | undefined;
  /** Arguments as the person edited them. */
  arguments?: Record<string, unknown> | undefined;
}

export interface ToolProgress {
  done: number;
  total?: number | undefined;
  message?: string | undefined;
}

/** The tools of a run and how to call them: within the agent's scope, and recorded in the activity log. */
export interface RunTools {
  offered: readonly ToolDescriptor[];
  /** The tools that are called through `call_tool`, where a scope is too large to be listed. */
  searched: readonly ToolDescriptor[];
  /** Tools in scope that this run may not use; calls are refused with the reason. */
  withheld: ReadonlyMap<string, string>;
  approval(tool: ToolDescriptor): Approval;
  /** Waits for a person. Rejects when the run ends first. */
  ask(call: ToolCallPart, tool: ToolDescriptor, step: number): Promise<ApprovalAnswer>;
  call(tool: ToolDescriptor, args: Record<string, unknown>, options: RunToolCall): Promise<ToolResult>;
}

export interface RunToolCall {
  signal: AbortSignal;
  callId: string;
  step: number;
  progress(progress: ToolProgress): void;
  /** Whether a person was asked about this call, and has allowed it. */
  isApproved: boolean;
  /** Stops the time limit of the run while a person is asked. */
  paused?: WallClock['paused'];
}

/**
 * Whether a call that was cut off may be made again: always, under its idempotency key as long as the store keeps it,
 * or never.
 */
export type Repeat = 'always' | 'once' | 'never';

/** Records each step as it happens, so that a run can resume after a crash. */
export interface RunJournal {
  /** The model's answer of a step, before any of its calls is made. */
  answered(
    step: number,
    model: string,
    message: ModelMessage,
    used: { usage: Usage; total: Usage; durationMs: number },
  ): Promise<void>;
  /** Before a call is made: a started call without a result may have taken effect. */
  callStarted(step: number, call: ToolCallPart, repeat: Repeat): Promise<void>;
  callEnded(step: number, result: ToolResultPart): Promise<void>;
  /** Messages of the user that joined in mid-run, before the step that answers them. */
  joined(step: number, message: ModelMessage, position: number): Promise<void>;
  /** The history was replaced by a shorter one. */
  shortened(step: number, history: readonly ModelMessage[]): Promise<void>;
}

export interface RunLimits {
  maxTurns: number;
  maxOutputTokens: number;
  wallMs: number;
}

export interface RunLoopOptions {
  /** In order of preference. */
  models: readonly [() => Promise<RunModel>, ...(() => Promise<RunModel>)[]];
  system: string;
  /** Everything before this run's first step, its own prompt last. */
  history: readonly ModelMessage[];
  tools: RunTools;
  limits: RunLimits;
  temperature?: number | undefined;
  effort?: Effort | undefined;
  outputSchema?: Record<string, unknown> | undefined;
  /** Throws `budget_exceeded`. */
  reserve(estimate: Amount): Promise<Pick<Reservation, 'settle'>>;
  /** Messages that came since the last step. Each is journalled before the next are asked for. */
  waitingMessages(): Promise<readonly { position: number; parts: UserPart[] }[]>;
  /** Resolves when models and tools may be called: immediately, unless all runs are paused. */
  gate(): Promise<void>;
  journal: RunJournal;
  emit(event: RunEvent): void;
  countTokens(text: string): number;
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  signal: AbortSignal;
  /** The point where a run resumes: completed steps, and the rest of the last one. */
  resume?:
    | {
        step: number;
        usage: Usage;
        text: string;
        openCalls: readonly ToolCallPart[];
        results: readonly ToolResultPart[];
        /** The final answer is complete: the model is asked again only if messages have arrived since. */
        isAnswered: boolean;
      }
    | undefined;
}

export interface RunOutcome {
  state: Extract<RunState, 'completed' | 'failed' | 'cancelled'>;
  reason: EndReason;
  text: string;
  usage: Usage;
  steps: number;
  error: RunError | null;
  /** Stores the last answer, which is written together with the end of the run. */
  store?: () => Promise<unknown>;
}
