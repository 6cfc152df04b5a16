import type { AssistantPart, ModelMessage, Usage } from '../../contract/run.ts';
import type { ModelFacts } from './provider.ts';

/** A tool as described to a model. */
export interface ModelTool {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
}

export type Effort = 'low' | 'medium' | 'high';

/** What a model may think at each effort, beside `maxOutputTokens` of answer. */
export const THINKING_TOKENS: Readonly<Record<Effort, number>> = { low: 2_000, medium: 8_000, high: 24_000 };

export interface ModelRequest {
  system: string;
  messages: readonly ModelMessage[];
  tools: readonly ModelTool[];
  maxOutputTokens: number;
  temperature?: number | undefined;
  effort?: Effort | undefined;
  /** The answer must be JSON of this schema. */
  outputSchema?: Record<string, unknown> | undefined;
  signal: AbortSignal;
}

/** Streaming events of an answer. `part` counts its parts. */
export type ModelDelta =
  | { type: 'text' | 'reasoning'; part: number; offset: number; text: string }
  /** A piece of the arguments of a call, which follows when they are complete. */
  | { type: 'tool-input'; text: string }
  | { type: 'tool-call'; part: number; id: string; name: string; input: unknown };

export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'refusal' | 'other';

/** A complete answer; only available once the stream has ended properly. */
export interface ModelAnswer {
  parts: AssistantPart[];
  finish: FinishReason;
  /** Without a price: the run adds it. */
  usage: Omit<Usage, 'usd'>;
  warnings: string[];
}

/** One model of one provider. */
export interface Model {
  /** `provider/model`. */
  id: string;
  provider: string;
  name: string;
  facts: ModelFacts;
  /**
   * Rejects with a ModelFailure, or with the signal's reason. Never retries by itself: the run decides, since only it
   * knows what has happened since.
   */
  answer(request: ModelRequest, onDelta: (delta: ModelDelta) => void): Promise<ModelAnswer>;
}

/** Why a request to a model failed, in the categories that a run distinguishes. */
export class ModelFailure extends Error {
  readonly kind: 'rate-limit' | 'overloaded' | 'broken-stream' | 'context-overflow' | 'refused' | 'fatal';
  readonly retryAfterMs: number | null;

  constructor(kind: ModelFailure['kind'], message: string, retryAfterMs: number | null = null) {
    super(message);
    this.name = 'ModelFailure';
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }

  get canRetry(): boolean {
    return this.kind === 'rate-limit' || this.kind === 'overloaded' || this.kind === 'broken-stream';
  }
}
