import { setTimeout as sleep } from 'node:timers/promises';
import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import { NO_USAGE, type RunEvent, type UserPart } from '../../contract/run.ts';
import type { Lease } from '../../platform/store/leases.ts';
import { type QuestionsOfRun, questionsOfRun } from '../approvals/questions-of-run.ts';
import { type BudgetLimit, least } from '../budget/budget.ts';
import { endReasonOf } from '../loop/end-reason.ts';
import { runLoop } from '../loop/run-loop.ts';
import type { RunLimits, RunOutcome } from '../loop/run-parts.ts';
import type { RunnerOptions, RunSettings } from '../runner-options.ts';
import { NOTHING, type PreparedRun, prepareRun, type UnpreparedRun } from './prepare-run.ts';
import type { OpenEventLog } from './run-event-log.ts';
import { createRunJournal } from './run-journal.ts';
import type { RunRequest } from './run-request.ts';
import { toolsOfRun } from './run-tools.ts';
import { writeSoon } from './write-soon.ts';

/** A run that this process may work on. */
export interface ClaimedRun extends UnpreparedRun {
  lease: Lease;
  events: OpenEventLog;
  /** The context of the caller that started the run. */
  caller: CallContext;
  /** Of a new run: rejects if it could not be stored, and then nothing of the run may be left. */
  stored?: Promise<unknown>;
  /** Its caller has a limit, and costs nothing beyond it. */
  isLimited?: boolean;
}

/** One run from start to end. Never rejects: a failure is its outcome. */
export async function executeRun(options: RunnerOptions, run: ClaimedRun): Promise<void> {
  const { live } = options;
  const { request, caller } = run;
  const events = heldUntil(run.stored, run.events);
  // A run outlives the request that started it, but not the tool call of another run.
  const open = live.open(request.id, request.parent ? caller.signal : undefined);
  const context: CallContext = { ...caller, signal: open.signal, agent: request.agentId };
  const prepare = (): Promise<PreparedRun> => prepareRun(options, run, context);
  const prepared = run.stored && run.isLimited ? run.stored.then(prepare) : prepare();
  const questions = questionsOfRun(options.questions, { runId: request.id, isResumed: run.plan !== null });
  const own = { ...options, questions };
  const outcome = outcomeOf(own, { ...run, events }, prepared, open.signal);
  try {
    await run.stored;
  } catch {
    // Reported to the caller that started it.
    live.cancel(request.id);
    await outcome;
    options.budgets.close(request.id);
    open.close();
    await events.close();
    return;
  }
  options.note(run.plan ? 'run resumed' : 'run started', { run: request.id, agent: request.agentId });
  await endRun(own, run, withReason(await outcome, open.signal.reason), open);
}

/** Nobody is told about a run before it is stored. */
function heldUntil(stored: Promise<unknown> | undefined, log: OpenEventLog): OpenEventLog {
  if (!stored) return log;
  let held: RunEvent[] | null = [];
  const release = (): void => {
    for (const event of held ?? []) log.emit(event);
    held = null;
  };
  stored.then(release, () => undefined);
  return { ...log, emit: (event) => (held ? void held.push(event) : log.emit(event)) };
}

/** Everything that is left to write is one commit. */
async function endRun(
  options: RunnerOptions & { questions: QuestionsOfRun },
  { request, lease, events }: ClaimedRun,
  outcome: RunOutcome,
  { isHandedOver, close }: ReturnType<RunnerOptions['live']['open']>,
): Promise<void> {
  const { store, spending, ownership, log } = options;
  let finished = false;
  try {
    if (isHandedOver()) {
      // Ending the hub is not the end of its runs: the next one goes on with it.
      await outcome.store?.().catch(() => undefined);
    } else {
      await options.questions.withdrawAll();
      await Promise.all([
        outcome.store?.(),
        spending.flush(),
        events.end(endOf(outcome), (last) => store.ended(lease, outcome, [last, ownership.finish(lease)])),
      ]);
      finished = true;
      noteEnd(options, request, outcome);
    }
  } catch (error) {
    // Its row is still marked as running, so another process resumes it.
    log(`the end of run ${request.id} could not be stored`, error);
  }
  options.budgets.close(request.id);
  try {
    // Processes that follow the run read its events until its lease is gone.
    if (!finished) {
      await events.close();
      await ownership.release(lease, false);
    }
    close();
    if (finished && request.chat) await options.turnEnded(request);
  } catch (error) {
    close();
    log(`run ${request.id} could not be released`, error);
  }
}

function noteEnd({ note }: RunnerOptions, { id, agentId }: RunRequest, outcome: RunOutcome): void {
  const { state, steps, usage, error } = outcome;
  note('run ended', {
    run: id,
    agent: agentId,
    state,
    steps,
    tokens: usage.inputTokens + usage.outputTokens,
    ...(error ? { code: error.code } : {}),
  });
}

/** The outcome of the run, including failures. */
async function outcomeOf(
  options: RunnerOptions,
  run: ClaimedRun,
  prepared: Promise<PreparedRun>,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const { request, plan, events } = run;
  try {
    return await takeRun(options, run, await prepared);
  } catch (error) {
    const known = error instanceof ZooError;
    if (!known && !signal.aborted) options.log(`run ${request.id} failed`, error);
    const failure = known
      ? { code: error.code, message: error.message }
      : { code: 'internal' as const, message: 'The run failed because of a bug; the log has the details.' };
    if (!signal.aborted) events.emit({ type: 'error', ...failure });
    const { text = '', usage = NO_USAGE, step: steps = 0 } = plan ?? {};
    const so = { text, usage, steps };
    return signal.aborted
      ? { ...so, state: 'cancelled', reason: 'cancelled', error: null }
      : { ...so, state: 'failed', reason: endReasonOf(error), error: failure };
  }
}

/** A run that was cancelled for a reason keeps it. */
function withReason(outcome: RunOutcome, reason: unknown): RunOutcome {
  if (outcome.state !== 'cancelled' || !(reason instanceof ZooError)) return outcome;
  const error = { code: reason.code, message: reason.message };
  return { ...outcome, reason: endReasonOf(reason), error };
}

function endOf({ state, reason, text, steps, usage }: RunOutcome): RunEvent {
  return { type: 'done', state, reason, text, steps, usage };
}

async function takeRun(
  options: RunnerOptions,
  { request, lease, plan, stored, isLimited, events: { emit } }: ClaimedRun,
  prepared: PreparedRun,
): Promise<RunOutcome> {
  const { store, spending } = options;
  const { agent, context, settings, resolved, model } = prepared;
  emit({
    type: 'run-started',
    agentId: agent.id,
    model,
    prompt: promptText(request.input),
    missingTools: resolved.clientTools,
    warnings: [...prepared.warnings],
  });
  const limits = limitsOf(request, settings);
  const budget = options.budgets.open({
    runId: request.id,
    parent: request.parent ?? null,
    limit: limits.budget,
    caller: request.budget ?? {},
    already: prepared.already,
  });
  const { maxTurns } = limits;
  const mayBeRefused = isLimited || request.chat !== undefined;
  // Before anything else that the run writes; a quick answer is committed together with it.
  const started = writeSoon(() => store.started(lease, resolved, model));
  const onWrite = (): void => {
    void started.now();
    void spending.flush();
  };
  const tools = toolsOfRun({ ...prepared, options, request, lease, emit, budget, maxTurns, onWrite });
  const outcome = await runLoop({
    models: prepared.models,
    system: resolved.system,
    history: prepared.history,
    tools,
    limits,
    outputSchema: request.outputSchema ?? undefined,
    async reserve(estimate) {
      const ofDay = await spending.reserve(agent.id, estimate, settings.dayLimits);
      try {
        const ofRun = budget.reserve(estimate);
        return { settle: (used) => [ofRun, ofDay].forEach((one) => one.settle(used)) };
      } catch (error) {
        ofDay.settle(NOTHING);
        throw error;
      }
    },
    waitingMessages: () => options.messages.waiting(request.id),
    async gate() {
      // Otherwise a model is asked while the run is being stored. No tool is called before: the journal comes first.
      if (mayBeRefused) await stored;
      await options.pause.gate(context.signal, emit);
    },
    temperature: request.temperature ?? settings.temperature,
    effort: request.effort ?? settings.effort,
    journal: createRunJournal({ db: options.db, lease, now: options.now, onWrite }),
    emit,
    countTokens: prepared.countTokens,
    now: () => performance.now(),
    sleep: (ms, signal) => sleep(ms, undefined, { signal }),
    signal: context.signal,
    ...(plan && plan.step > 0 ? { resume: plan } : {}),
  }).catch((error: unknown) => {
    void started.now();
    throw error;
  });
  return { ...outcome, store: () => Promise.all([started.now(), outcome.store?.()]) };
}

/** A call may lower what the config allows, and so may the run that it is part of. */
function limitsOf(
  { limits: asked = {}, budget = {} }: RunRequest,
  { limits, runBudget }: RunSettings,
): RunLimits & { budget: BudgetLimit } {
  return {
    maxTurns: Math.min(limits.maxTurns, asked.maxTurns ?? Infinity, budget.turns ?? Infinity),
    maxOutputTokens: Math.min(limits.maxOutputTokens, asked.maxOutputTokens ?? Infinity),
    wallMs: Math.min(limits.wallMs, asked.wallMs ?? Infinity),
    budget: { tokens: least(runBudget.tokens, asked.tokens), usd: least(runBudget.usd, asked.usd) },
  };
}

function promptText(input: readonly UserPart[]): string {
  return input.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
