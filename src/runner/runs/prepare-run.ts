import type { Agent } from '../../contract/agent.ts';
import type { CallContext } from '../../contract/call.ts';
import type { ResolvedAgent } from '../../contract/resolved.ts';
import type { StandInContext } from '../../contract/stand-in.ts';
import type { Amount } from '../budget/budget.ts';
import type { RunLoopOptions } from '../loop/run-parts.ts';
import { chooseModels } from '../models/choose-model.ts';
import { openChoice } from '../models/open-choice.ts';
import { definitionPlace } from '../permissions.ts';
import type { RunnerOptions, RunSettings, ScopedTools } from '../runner-options.ts';
import { earlierTurns, messagesBefore, NO_TURNS } from './messages-before.ts';
import type { ResumePlan } from './plan-resume.ts';
import type { RunRequest } from './run-request.ts';

/** What a run was checked with before it was stored. */
export interface ReadyRun {
  agent: Agent;
  settings: RunSettings;
}

/** All that a run needs for its first request. */
export interface PreparedRun extends ReadyRun {
  context: CallContext;
  resolved: ResolvedAgent;
  countTokens: (text: string) => number;
  /** Spent before a restart. */
  already: Amount;
  history: RunLoopOptions['history'];
  models: RunLoopOptions['models'];
  /** The name of the first. */
  model: string;
  warnings: readonly string[];
  scoped: ScopedTools;
  allowed: Set<string>;
}

export interface UnpreparedRun {
  request: RunRequest;
  plan: ResumePlan | null;
  /** Of a run that was started here a moment ago. */
  ready?: ReadyRun;
}

/** Only reads, so that a new run is prepared while it is stored. */
export async function prepareRun(
  options: RunnerOptions,
  { request, plan, ready }: UnpreparedRun,
  caller: CallContext,
): Promise<PreparedRun> {
  const { id, agentId, chat, version } = request;
  const agent = ready?.agent ?? (await options.agent(agentId, caller, version));
  const context: CallContext & StandInContext = version ? { ...caller, standIn: agent } : caller;
  const [settings, resolved, countTokens, already, before, scoped, allowed] = await Promise.all([
    ready?.settings ?? options.settings(context),
    options.resolve(agentId, request.arguments, context),
    options.loadCounter(),
    plan ? spentBefore(options, id, plan) : NOTHING,
    chat?.previous ? earlierTurns(options.store, chat.previous) : NO_TURNS,
    options.tools({ ...context, run: id }),
    chat ? options.chatApprovals.list(chat.id, definitionPlace(agent)) : [],
  ]);
  const wishes = {
    call: request.models ?? undefined,
    agent: modelNames(agent.model),
    config: settings.models,
  };
  const { choices, warnings } = chooseModels(wishes, settings.providers);
  const [first, ...rest] = choices;
  const opened = openChoice(first, options.localModels);
  // Reported by the run that asks for it.
  opened.catch(() => undefined);
  return {
    agent,
    context,
    settings,
    resolved,
    countTokens,
    already,
    history: [
      ...(plan?.shortened ?? [...messagesBefore(resolved, before), { role: 'user', parts: request.input }]),
      ...(plan ? [...plan.messages, ...plan.joined] : []),
    ],
    models: [() => opened, ...rest.map((choice) => () => openChoice(choice, options.localModels))],
    model: `${first.provider.name}/${first.model}`,
    warnings: [...resolved.receipt.warnings, ...warnings],
    scoped,
    allowed: new Set(allowed),
  };
}

export const NOTHING: Amount = { tokens: 0, usd: 0 };

/** Usage of the run and its nested runs before a restart. */
async function spentBefore({ store }: RunnerOptions, runId: string, { usage }: ResumePlan): Promise<Amount> {
  const below = await store.usageBelow(runId);
  return {
    tokens: usage.inputTokens + usage.outputTokens + below.inputTokens + below.outputTokens,
    usd: (usage.usd ?? 0) + (below.usd ?? 0),
  };
}

export function modelNames(model: Agent['model']): readonly string[] | undefined {
  return model === null ? undefined : [model].flat();
}
