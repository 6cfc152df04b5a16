import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from '../../contract/agent.ts';
import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import { NO_USAGE, type RunEvent, type UserPart } from '../../contract/run.ts';
import type { StandInContext } from '../../contract/stand-in.ts';
import type { Lease } from '../../platform/store/leases.ts';
import { type Amount, type BudgetLimit, least } from '../budget/budget.ts';
import { endReasonOf } from '../loop/end-reason.ts';
import { runLoop } from '../loop/run-loop.ts';
import type { RunLimits, RunOutcome } from '../loop/run-parts.ts';
import { chooseModels, type ModelChoice } from '../models/choose-model.ts';
import { openChoice } from '../models/open-choice.ts';
import type { RunnerOptions, RunSettings } from '../runner-options.ts';
import { earlierTurns, messagesBefore, NO_TURNS } from './messages-before.ts';
import type { ResumePlan } from './plan-resume.ts';
import type { OpenEventLog } from './run-event-log.ts';
import { createRunJournal } from './run-journal.ts';
import type { RunRequest } from './run-request.ts';
import { toolsOfRun } from './run-tools.ts';
import { writeSoon } from './write-soon.ts';

/** A run that this process may work on. */
export interface ClaimedRun {
  request: RunRequest;
  lease: Lease;
  events: OpenEventLog;
  /** The context of the caller that started the run. */
  caller: CallContext;
  plan: ResumePlan | null;
  /** Of a run that was started here a moment ago. */
  ready?: ReadyRun;
}

/** What a run was checked with before it was stored. */
export interface ReadyRun {
  agent: Agent;
  settings: RunSettings;
}

/** One run from beginning to end. Never rejects: what goes wrong is its outcome. */
export async function executeRun(options: RunnerOptions, run: ClaimedRun): Promise<void> {
  const { store, live, log, ownership } = options;
  const { request, lease, events, caller } = run;
  // A run outlives the request that started it, but not the tool call of another run.
  const { signal, close, isHandedOver } = live.open(request.id, request.parent ? caller.signal : undefined);
  let finished = false;
  options.note(run.plan ? 'run resumed' : 'run started', { run: request.id, agent: request.agentId });
  try {
    const outcome = withReason(await outcomeOf(options, run, signal), signal.reason);
    // Reported below, unless another process goes on with the run.
    outcome.stored?.catch(() => undefined);
    // Ending the hub is not the end of its runs: the next one goes on with it.
    if (!isHandedOver()) {
      if (!request.headless) await options.questions.withdraw({ kind: 'run', id: request.id });
      await Promise.all([outcome.stored, store.ended(lease, outcome)]);
      finished = true;
      const { state, steps, usage, error } = outcome;
      options.note('run ended', {
        run: request.id,
        agent: request.agentId,
        state,
        steps,
        tokens: usage.inputTokens + usage.outputTokens,
        ...(error ? { code: error.code } : {}),
      });
      events.emit(endOf(outcome));
    }
  } catch (error) {
    // Its row is still marked as running, so another process resumes it.
    log(`the end of run ${request.id} could not be stored`, error);
  }
  options.budgets.close(request.id);
  try {
    // Processes that follow the run read its events until its lease is gone.
    await events.close(() => ownership.release(lease, finished)).finally(close);
    if (finished && request.chat) await options.turnEnded(request);
  } catch (error) {
    log(`run ${request.id} could not be released`, error);
  }
}

/** The outcome of the run, including failures. */
async function outcomeOf(options: RunnerOptions, run: ClaimedRun, signal: AbortSignal): Promise<RunOutcome> {
  const { request, plan, events } = run;
  try {
    const context: CallContext = { ...run.caller, signal, agent: request.agentId };
    return await takeRun(options, run, context);
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
  { request, lease, plan, events: { emit }, ready }: ClaimedRun,
  caller: CallContext,
): Promise<RunOutcome> {
  const { store, spending } = options;
  const agent = ready?.agent ?? (await options.agent(request.agentId, caller, request.version));
  const context: CallContext & StandInContext = request.version ? { ...caller, standIn: agent } : caller;
  const [settings, resolved, countTokens, already, before] = await Promise.all([
    ready?.settings ?? options.settings(context),
    options.resolve(request.agentId, request.arguments, context),
    options.loadCounter(),
    plan ? spentBefore(options, request.id, plan) : NOTHING,
    request.chat?.previous ? earlierTurns(store, request.chat.previous) : NO_TURNS,
  ]);
  const wishes = {
    call: request.models ?? undefined,
    agent: modelNames(agent.model),
    config: settings.models,
  };
  const { choices, warnings } = chooseModels(wishes, settings.providers);
  const [first, ...rest] = choices;
  const open = (choice: ModelChoice) => openChoice(choice, options.localModels);
  const model = `${first.provider.name}/${first.model}`;
  emit({
    type: 'run-started',
    agentId: agent.id,
    model,
    prompt: promptText(request.input),
    missingTools: resolved.clientTools,
    warnings: [...resolved.receipt.warnings, ...warnings],
  });
  const limits = limitsOf(request, settings);
  const budget = options.budgets.open({
    runId: request.id,
    parent: request.parent ?? null,
    limit: limits.budget,
    caller: request.budget ?? {},
    already,
  });
  const { maxTurns } = limits;
  const tools = await toolsOfRun({ options, agent, request, lease, emit, context, budget, maxTurns });
  // Before the first entry of the journal; a quick answer is committed together with it.
  const started = writeSoon(() => store.started(lease, resolved, model));
  const outcome = await runLoop({
    models: [() => open(first), ...rest.map((choice) => () => open(choice))],
    system: resolved.system,
    history: [
      ...(plan?.shortened ?? [...messagesBefore(resolved, before), { role: 'user', parts: request.input }]),
      ...(plan ? [...plan.messages, ...plan.joined] : []),
    ],
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
    gate: () => options.pause.gate(context.signal, emit),
    temperature: request.temperature ?? settings.temperature,
    effort: request.effort ?? settings.effort,
    journal: createRunJournal({ db: options.db, lease, now: options.now, onWrite: () => void started.now() }),
    emit,
    countTokens,
    now: () => performance.now(),
    sleep: (ms, signal) => sleep(ms, undefined, { signal }),
    signal: context.signal,
    ...(plan && plan.step > 0 ? { resume: plan } : {}),
  }).catch((error: unknown) => {
    void started.now();
    throw error;
  });
  return { ...outcome, stored: Promise.all([outcome.stored, started.now()]) };
}

const NOTHING: Amount = { tokens: 0, usd: 0 };

/** Usage of the run and its nested runs before a restart. */
async function spentBefore({ store }: RunnerOptions, runId: string, { usage }: ResumePlan): Promise<Amount> {
  const below = await store.usageBelow(runId);
  return {
    tokens: usage.inputTokens + usage.outputTokens + below.inputTokens + below.outputTokens,
    usd: (usage.usd ?? 0) + (below.usd ?? 0),
  };
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

export function modelNames(model: Agent['model']): readonly string[] | undefined {
  return model === null ? undefined : [model].flat();
}
