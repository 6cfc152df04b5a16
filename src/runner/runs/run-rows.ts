import { ZooError } from '../../contract/errors.ts';
import { ResolvedAgent } from '../../contract/resolved.ts';
import {
  EndReason,
  type ModelMessage,
  ModelMessage as StoredMessage,
  NO_USAGE,
  type Run,
  RunError,
  RunState,
  type RunStep,
  type RunSummary,
  ToolResultPart,
  Usage,
} from '../../contract/run.ts';
import type { Reader, Row } from '../../platform/store/database.ts';
import { readStored } from '../../platform/store/stored-json.ts';
import { REPEAT } from './run-journal.ts';
import { RunRequest } from './run-request.ts';

export const ACTIVE_STATES = ['queued', 'running', 'waiting'] as const;
export const IS_ACTIVE = "state IN ('queued', 'running', 'waiting')";

/** A step as far as it got: `answer` is missing until the model has answered. */
export interface StoredStep {
  step: number;
  model: string;
  joined: ModelMessage[];
  answer: ModelMessage | null;
  results: ToolResultPart[];
  /** Calls that were started and have no result. */
  open: { id: string; repeatable: boolean }[];
  usage: Usage;
  startedAt: string;
  durationMs: number;
}

export function toSummary(row: Row): RunSummary {
  const text = (column: string) => (row[column] === null ? null : String(row[column]));
  return {
    id: String(row.id),
    state: RunState.parse(row.state),
    agentId: String(row.agent_id),
    agentRevision: Number(row.agent_revision),
    workspace: String(row.workspace),
    model: text('model'),
    caller: String(row.caller),
    surface: String(row.surface),
    prompt: String(row.prompt),
    steps: Number(row.steps),
    usage: row.usage === null ? NO_USAGE : readStored(Usage, row.usage),
    error: row.error === null ? null : readStored(RunError, row.error),
    endReason: row.end_reason === null ? null : EndReason.parse(row.end_reason),
    chatId: text('chat_id'),
    turn: row.turn === null ? null : Number(row.turn),
    parent: text('parent'),
    createdAt: String(row.created_at),
    endedAt: text('ended_at'),
  };
}

export function toRun(row: Row, steps: readonly StoredStep[]): Run {
  const resolved = row.resolved === null ? null : readStored(ResolvedAgent, row.resolved);
  return {
    ...toSummary(row),
    input: readStored(RunRequest, row.request).input,
    system: resolved?.system ?? '',
    tools: resolved?.tools ?? [],
    receipt: resolved?.receipt ?? null,
    text: String(row.text),
    stepsTaken: steps.map(toRunStep),
  };
}

function toRunStep({ step, model, usage, startedAt, durationMs, ...said }: StoredStep): RunStep {
  return { step, model, messages: messagesOf(said), usage, startedAt, durationMs };
}

/** The messages of a step in their order; results only where the model has answered. */
export function messagesOf({
  joined,
  answer,
  results,
}: Pick<StoredStep, 'joined' | 'answer' | 'results'>): ModelMessage[] {
  const ended: ModelMessage[] = results.length > 0 ? [{ role: 'tool', parts: results }] : [];
  return [...joined, ...(answer ? [answer, ...ended] : [])];
}

/** Less than the store keeps idempotency keys. */
const REPEATABLE_ONCE_MS = 12 * 60 * 60 * 1000;

export async function readSteps(db: Reader, runId: string, now: Date): Promise<StoredStep[]> {
  const [steps, calls] = await Promise.all([
    db.all('SELECT * FROM run_steps WHERE run_id = ? ORDER BY step', [runId]),
    db.all('SELECT * FROM run_calls WHERE run_id = ? ORDER BY step, position', [runId]),
  ]);
  return steps.map((row) => {
    const own = calls.filter((call) => call.step === row.step);
    const isRecent = now.getTime() - Date.parse(String(row.started_at)) < REPEATABLE_ONCE_MS;
    return {
      step: Number(row.step),
      model: String(row.model),
      joined: readStored(StoredMessage.array(), row.joined),
      answer: row.answer === null ? null : readStored(StoredMessage, row.answer),
      results: own.flatMap((call) => (call.result === null ? [] : [readStored(ToolResultPart, call.result)])),
      open: own
        .filter((call) => call.result === null)
        .map((call) => ({
          id: String(call.call_id),
          repeatable: call.repeatable === REPEAT.always || (call.repeatable === REPEAT.once && isRecent),
        })),
      usage: readStored(Usage, row.usage),
      startedAt: String(row.started_at),
      durationMs: Number(row.duration_ms),
    };
  });
}

export async function readShortened(
  db: Reader,
  runId: string,
): Promise<{ step: number; messages: ModelMessage[] } | null> {
  const row = await db.one(
    'SELECT step, messages FROM run_histories WHERE run_id = ? ORDER BY step DESC LIMIT 1',
    [runId],
  );
  return row ? { step: Number(row.step), messages: readStored(StoredMessage.array(), row.messages) } : null;
}

export function runNotFound(id: string): ZooError {
  return new ZooError('run_not_found', `Run '${id}' not found.`, { run: id });
}
