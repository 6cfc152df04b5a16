import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from '../../contract/agent.ts';
import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { ResolvedAgent } from '../../contract/resolved.ts';
import { type ModelMessage, NO_USAGE, type RunEvent, type UserPart } from '../../contract/run.ts';
import { messageOf } from '../../platform/text/error-message.ts';
import { createRunBudget } from '../budget/budget.ts';
import { runLoop } from '../loop/run-loop.ts';
import type { RunModel, RunOutcome, RunTools } from '../loop/run-parts.ts';
import { chooseModels, type ModelChoice } from '../models/choose-model.ts';
import { loadModelPrice } from '../models/model-prices.ts';
import { openModel } from '../models/model-sdk.ts';
import { approvalFor, offeredTools } from '../permissions.ts';
import type { RunnerOptions } from '../runner-options.ts';
import type { ResumePlan } from './plan-resume.ts';
import { createRunJournal } from './run-journal.ts';
import type { RunRequest } from './run-request.ts';

/** One run from beginning to end. Never rejects: what goes wrong is its outcome. */
export async function executeRun(
  options: RunnerOptions,
  request: RunRequest,
  caller: CallContext,
  plan: ResumePlan | null,
): Promise<void> {
  const { store, live, log } = options;
  const { emit, signal, close, isStopping } = live.open(request.id);
  // A run outlives the request that started it.
  const context: CallContext = { ...caller, signal, agent: request.agentId };
  let outcome: RunOutcome;
  try {
    outcome = await takeRun(options, request, context, plan, emit);
  } catch (error) {
    const known = error instanceof ZooError;
    if (!known) log(`run ${request.id} failed`, error);
    const failure = known
      ? { code: error.code, message: error.message }
      : { code: 'internal' as const, message: 'The run failed because of a bug; the log has the details.' };
    emit({ type: 'error', ...failure });
    const { text = '', usage = NO_USAGE, step: steps = 0 } = plan ?? {};
    outcome = { state: signal.aborted ? 'cancelled' : 'failed', text, usage, steps, error: failure };
  }
  // The next hub goes on with it: ending the hub is not the end of its runs.
  if (isStopping()) {
    emit({ type: 'done', ...ended(outcome), state: 'interrupted' });
    close();
    return;
  }
  try {
    await store.ended(request.id, outcome);
  } catch (error) {
    log(`the end of run ${request.id} could not be stored`, error);
    emit({ type: 'error', code: 'internal', message: `The result could not be stored: ${messageOf(error)}` });
  }
  emit({ type: 'done', ...ended(outcome) });
  close();
}

function ended({
  state,
  text,
  steps,
  usage,
}: RunOutcome): Pick<RunOutcome, 'state' | 'text' | 'steps' | 'usage'> {
  return { state, text, steps, usage };
}

async function takeRun(
  options: RunnerOptions,
  request: RunRequest,
  context: CallContext,
  plan: ResumePlan | null,
  emit: (event: RunEvent) => void,
): Promise<RunOutcome> {
  const { store, spending } = options;
  const agent = await options.agent(request.agentId, context);
  const [settings, resolved, countTokens] = await Promise.all([
    options.settings(context),
    options.resolve(request.agentId, request.arguments, context),
    options.loadCounter(),
  ]);
  const wishes = {
    call: request.models ?? undefined,
    agent: modelNames(agent.model),
    config: settings.models,
  };
  const { choices, warnings } = chooseModels(wishes, settings.providers);
  const [first, ...rest] = choices;
  const model = `${first.provider.name}/${first.model}`;
  await store.started(request.id, resolved, model);
  emit({
    type: 'run-started',
    agentId: agent.id,
    model,
    prompt: promptText(request.input),
    missingTools: resolved.clientTools,
    warnings: [...resolved.receipt.warnings, ...warnings],
  });
  const spent = plan
    ? { tokens: plan.usage.inputTokens + plan.usage.outputTokens, usd: plan.usage.usd ?? 0 }
    : undefined;
  const budget = createRunBudget(settings.runBudget, spent);
  return runLoop({
    models: [() => openChoice(first), ...rest.map((choice) => () => openChoice(choice))],
    system: resolved.system,
    history: [
      ...(plan?.shortened ?? [...opening(resolved), { role: 'user', parts: request.input }]),
      ...(plan?.messages ?? []),
    ],
    tools: await toolsOf(options, agent, context),
    limits: settings.limits,
    outputSchema: request.outputSchema ?? undefined,
    async reserve(estimate) {
      const ofDay = await spending.reserve(agent.id, estimate, settings.dayLimits);
      try {
        const ofRun = budget.reserve(estimate);
        return { settle: (used) => [ofRun, ofDay].forEach((one) => one.settle(used)) };
      } catch (error) {
        ofDay.settle({ tokens: 0, usd: 0 });
        throw error;
      }
    },
    takeJoined: () => [],
    journal: createRunJournal(options.db, request.id, options.now),
    emit,
    countTokens,
    now: () => performance.now(),
    sleep: (ms, signal) => sleep(ms, undefined, { signal }),
    signal: context.signal,
    ...(plan && plan.step > 0 ? { resume: plan } : {}),
  });
}

async function openChoice({ provider, model }: ModelChoice): Promise<RunModel> {
  const { facts, price } = await loadModelPrice(provider, model);
  return { model: await openModel(provider, model, facts), price };
}

/** The tools of the agent's scope that a run without a person may use. */
async function toolsOf(options: RunnerOptions, agent: Agent, context: CallContext): Promise<RunTools> {
  const inScope = await options.tools(context);
  const offered = offeredTools(inScope, agent, { headless: true });
  const withheld = inScope.filter((tool) => !offered.includes(tool));
  return {
    offered,
    withheld: new Map(
      withheld.map(({ name }) => [name, `'${name}' needs an approval, and nobody can be asked in this run.`]),
    ),
    approval: (tool) => approvalFor(tool, agent),
    ask: () => Promise.resolve({ decision: 'deny', reason: 'Nobody can be asked in this run.' }),
    call: (tool, args, { signal, progress }) =>
      options.call(tool.name, args, {
        context: { ...context, signal, depth: context.depth + 1 },
        progress: (done, total, message) => progress({ done, total, message }),
      }),
  };
}

/** Opening messages of the agent; MCP has no system role, and neither has a conversation with a model. */
function opening({ messages }: ResolvedAgent): ModelMessage[] {
  return messages.map(({ role, content }) =>
    role === 'assistant'
      ? { role, parts: [{ type: 'text', text: content }] }
      : { role: 'user', parts: [{ type: 'text', text: content }] },
  );
}

function promptText(input: readonly UserPart[]): string {
  return input.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

export function modelNames(model: Agent['model']): readonly string[] | undefined {
  return model === null ? undefined : [model].flat();
}
